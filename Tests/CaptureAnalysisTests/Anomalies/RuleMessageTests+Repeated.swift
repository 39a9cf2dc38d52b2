import TestSupport

@testable import CaptureAnalysis

extension `Messages of rules` {
  private static let security = ExampleStep.securityReceived("0b 01")
  private static let host = ExampleStep.command(0x2013, "40 00 06 00 0c 00 04 00 0a 00 00 00 00 00")

  /// What comes twice, at either end, or right behind something that tells nothing.
  static let repeated: [Case] = [
    Case(
      "contact-lost", "a broken value stands before it",
      [
        .repeated(["06 48"], times: 5), .values([""]), .repeated(["04 48"], times: 20), .values(["06 48"]),
      ],
      say: ["contact lost for 20 s (20 measurements)."]),
    Case(
      "contact-lost", "one broken value alone tells it",
      [.repeated(["06 48"], times: 5), .values(["04"]), .repeated(["06 48"], times: 5)], say: []),
    Case(
      "sensor-hung-up", "it asks for security twice, the last time a moment before",
      [security, .repeated(["00 48"], times: 70), security, .wait(10), .disconnect(0x13)],
      say: ["it had asked for security"], [.warning]),
    Case(
      "parameter-update-unanswered", "it is asked again while the first waits",
      .times(4, [.signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .wait(29)]) + [.repeated(["00 48"], times: 5)],
      say: ["timeout 6 s 4 times and had no answer within 30 s."]),
    Case(
      "parameter-update-rejected", "each end refuses what the other one asks for",
      [
        .signalSent("12 01 08 00 fa 00 90 01 00 00 58 02"), .signalReceived("13 01 02 00 01 00"),
        .signalReceived("12 02 08 00 06 00 06 00 00 00 48 00"), .signalSent("13 02 02 00 01 00"), .disconnect(0x13),
      ],
      say: [
        "the peer refused what the local host asked for: interval 312.5–500 ms, ",
        "the local host refused what the peer asked for: interval 7.5 ms, ",
      ]),
    Case(
      "encryption-failed", "it fails, works, and fails for the same reason once more", after: .connected,
      [
        .event(0x3E, "05 40 00 00 00 00 00 00 00 00 00 00 00"), .command(0x201B, "40 00"), .event(0x08, "00 40 00 01"),
        .wait(5),
        .command(0x2019, "40 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        .event(0x0F, "00 01 19 20"), .event(0x08, "06 40 00 00"), .wait(5),
      ],
      say: ["the peer has a key of an earlier pairing", "the local host has a key of an earlier pairing"]),
    Case(
      "notification-without-subscription", "the host asks twice for an encrypted link, and is refused once",
      after: .discovered,
      [
        .command(0x2019, "40 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        .event(0x0F, "00 01 19 20"),
        .command(0x2019, "40 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        .event(0x0F, "0c 01 19 20"), .repeated(["00 48"], times: 8),
      ], say: []),
    Case(
      "parameters-illegal", "the host asks its controller for them",
      [host, .event(0x0F, "12 01 13 20"), .repeated(["00 48"], times: 3)],
      say: ["the local host asks for interval 7.5–15 ms, latency 4, timeout 100 ms: the timeout has to be longer than "]
    ),
    Case(
      "notification-gap", "many requests are refused in it, behind a change of the parameters",
      [
        .repeated(["00 48"], times: 30), .wait(4), .event(0x3E, "03 00 40 00 90 01 00 00 58 02"),
      ] + .times(10, [.wait(1), .sent("0a 20 00"), .received("01 0a 20 00 02")]) + [.repeated(["00 48"], times: 3)],
      say: ["; meanwhile the parameters became interval 500 ms, latency 0, timeout 6 s (#"]),
    Case(
      "notification-gap", "the host asks for the end a moment later, and the peer is gone",
      [
        .repeated(["00 48"], times: 30), .wait(0.2), .command(0x0406, "40 00 13"), .event(0x0F, "00 01 06 04"),
        .wait(6),
        .disconnect(0x16),
      ], say: []),
    Case(
      "notification-gap", "other data of the peer go on",
      [.repeated(["00 48"], times: 30)] + .times(60, [.wait(1), .received("1b 30 00 64")]) + [.disconnect(0x16)],
      say: ["until the host ended the connection, usually 1 s, while other data of the peer came until "]),
    Case(
      "notification-gap", "other data of the peer go on, also behind the host's wish",
      [.repeated(["00 48"], times: 30)] + .times(60, [.wait(1), .received("1b 30 00 64")])
        + [
          .command(0x0406, "40 00 13"), .event(0x0F, "00 01 06 04"), .received("1b 30 00 64"), .disconnect(0x16),
        ],
      say: ["until the host ended the connection, usually 1 s, while other data of the peer went on."]),
  ]
}

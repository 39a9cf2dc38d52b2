import TestSupport
import Testing

@testable import CaptureAnalysis

/// What rules say, and how grave it is, where their examples only tell that they find something: who did it, how often, for
/// how long, and what has come to nothing since.
@Suite struct `Messages of rules` {
  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    let title: String
    let steps: [ExampleStep]
    let setUp: RuleExample.SetUp
    /// A part of what each finding says, with a full stop behind it.
    let says: [String]
    let severities: [Severity]?
    var testDescription: String { "\(rule): \(title)" }

    init(
      _ rule: String, _ title: String, after setUp: RuleExample.SetUp = .subscribed, _ steps: [ExampleStep],
      say says: [String], _ severities: [Severity]? = nil
    ) {
      (self.rule, self.title, self.steps, self.setUp) = (rule, title, steps, setUp)
      (self.says, self.severities) = (says, severities)
    }
  }

  @Test(arguments: attributes + bothServers + withoutEvents + link + values + repeated + refusals + eitherEnd + apart)
  func `tell what happened`(_ one: Case) throws {
    let example = RuleExample.finds(one.title, after: one.setUp, one.steps)
    let found = try summary(of: ExamplePlayer.capture(of: example).file()).findings.filter { $0.rule == one.rule }
    let isSaid = zip(found, one.says).allSatisfy { "\($0.message).".contains($1) }
    #expect(found.count == one.says.count && isSaid, "\(found.map(\.message))")
    if let severities = one.severities { #expect(found.map(\.severity) == severities) }
  }

  static let off: [ExampleStep] = [.sent("12 11 00 00 00"), .received("13")]
  static let on: [ExampleStep] = [.sent("12 11 00 01 00"), .received("13")]
  static let measured: [ExampleStep] = [.repeated(["00 48"], times: 5)]

  private static let attributes: [Case] = [
    Case(
      "access-refused", "the key of an encrypted link does not suffice", after: .discovered,
      [.event(0x08, "00 40 00 01"), .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .disconnect(0x16)],
      say: ["although the link is encrypted: the key is not an authenticated one."]),
    Case(
      "access-refused", "an encrypted link is not encrypted enough", after: .discovered,
      [.event(0x08, "00 40 00 01"), .sent("12 11 00 01 00"), .received("01 12 11 00 0f"), .disconnect(0x16)],
      say: ["although the link is encrypted."]),
    Case("att-response-mismatch", "a response to nothing", [.received("0b 01")], say: ["the peer sends "]),
    Case(
      "att-response-mismatch", "an error in answer to a command",
      [.sent("52 20 00 01"), .received("01 52 20 00 03")], say: [", which takes no answer."]),
    Case(
      "att-response-mismatch", "an error in answer to nothing", [.received("01 0a 13 00 03")],
      say: [", which nobody sent."]),
    Case(
      "never-subscribed", "refused three times", after: .discovered,
      .times(3, [.sent("12 11 00 01 00"), .received("01 12 11 00 11"), .wait(1)]) + [.disconnect(0x16)],
      say: ["was refused with Insufficient Resources (0x11); 3 times in all."]),
    Case(
      "subscription-without-notification", "the first comes late", [.wait(15)] + measured,
      say: ["the first came after "]),
    Case(
      "measurements-switched-off", "switched off once more, meanwhile",
      measured + off + [.wait(6)] + off + [.wait(6)]
        + on + measured,
      say: [", and on again 12 s later."]),
    Case(
      "measurements-switched-off", "for a long time, and for a shorter one",
      measured + off + [.wait(20)] + on + measured + off + [.wait(12)] + on + measured,
      say: [" twice, and on again after 12 s to 20 s."]),
    Case(
      "access-refused", "it works a second time, until the host hangs up", after: .discovered,
      [.sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(1)] + on + measured + [.disconnect(0x16)], say: []),
    Case(
      "access-refused", "the link could not be encrypted then", after: .discovered,
      [
        .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .event(0x08, "06 40 00 01"), .wait(5), .disconnect(0x16),
      ],
      say: ["and no encryption followed."]),
    Case(
      "cccd-invalid", "what was executed is not executed again", after: .discovered,
      [.sent("16 11 00 00 00 04 00"), .received("17 11 00 00 00 04 00")]
        + .times(2, [.sent("18 01"), .received("19")]),
      say: [", which has reserved bits."]),
    Case(
      "control-point-response", "the client's table is out of date", after: .connected,
      ControlPointResponse.controlPoint + [.sent("12 12 00 01"), .received("01 12 12 00 12")], say: []),
    Case(
      "discovery-unfinished", "the service is found twice", after: .connected, services + services + silence,
      say: ["was discovered, and nobody looked for its characteristics "]),
    Case(
      "discovery-unfinished", "for a dozen seconds", after: .connected, services + [.wait(12), .disconnect(0x16)],
      say: ["was discovered, and nobody looked for its characteristics in the 12 s since then."]),
    Case(
      "energy-reset-ignored", "a value from before was on its way", after: .connected,
      reset + [.wait(0.5), .received("1b 0f 00 08 48 40 00"), .wait(10), .received("1b 0f 00 08 48 02 00")], say: []),
    Case(
      "energy-reset-ignored", "it counts quickly, from 0", after: .connected,
      reset + [.wait(3), .received("1b 0f 00 08 48 10 00")], say: []),
    Case(
      "indication-unconfirmed", "the next one comes when the bearer is dead",
      [.received("1d 13 00 01"), .wait(40), .received("1d 13 00 01")], say: []),
    Case(
      "indication-unconfirmed", "both sides confirm what was not indicated", [.sent("1e"), .received("1e")],
      say: ["the local host sends a confirmation, and", "the peer sends a confirmation, and"]),
    Case(
      "mtu-exchanged-twice", "both sides offer too little",
      [.sent("02 0a 00"), .received("03 0b 00")],
      say: ["the local host offers an ATT_MTU of 10, less than 23.", "the peer offers an ATT_MTU of 11, less than 23."]),
    Case(
      "measurement-not-notified", "it can be read instead", after: .connected,
      services + [
        .sent("08 0e 00 13 00 03 28"), .received("09 07 0f 00 02 10 00 37 2a"), .sent("0a 10 00"),
        .received("0b 00 48"),
      ],
      say: ["measurement"]),
    Case(
      "never-subscribed", "what was prepared is called off", after: .discovered,
      [.sent("16 11 00 00 00 01 00"), .received("17 11 00 00 00 01 00"), .sent("18 00"), .received("19")] + silence,
      say: ["nobody switched its notifications on."]),
    Case(
      "subscription-without-notification", "the first comes no later than is usual",
      [.wait(11), .repeated(["00 48"], times: 8, every: 8)], say: []),
  ]

  /// What one server says of its table, or is asked, is nothing of the other's.
  private static let bothServers: [Case] = [
    Case(
      "stale-handles", "the phone's own table changes, too",
      localTable + .tableChanged + localChange + [.wait(3)] + on,
      say: ["after Service Changed, and nothing was discovered"]),
    Case(
      "database-changed", "the phone's own table changes, too", after: .nothing,
      bonded("11 06 0e 00 13 00 0d 18", behind: localTable) + bonded("11 06 0e 00 13 00 0f 18", behind: localChange),
      say: ["0x000e"], [.warning]),
    Case(
      "measurement-moved", "the phone's own table changes, too",
      localTable + measured + .tableChanged + localChange + [
        .sent("10 01 00 ff ff 00 28"), .received("11 06 1e 00 23 00 0d 18"), .sent("08 1e 00 23 00 03 28"),
        .received("09 07 1f 00 10 20 00 37 2a"), .wait(20), .disconnect(0x16),
      ], say: ["the measurement is at 0x0020, where it was at 0x0010; "]),
    Case(
      "measurements-switched-off", "the phone's own table changes meanwhile",
      localTable + measured + off + [.wait(1)] + localChange + [.wait(20), .disconnect(0x16)],
      say: ["switched the measurements off, and nobody switched them on again in the 21 s that follow."]),
    Case(
      "measurements-switched-off", "the peer switches something of the phone's on meanwhile",
      measured + off + [.wait(1)] + peerWrites + [.wait(20), .disconnect(0x16)],
      say: ["switched the measurements off, and nobody switched them on again in the 21 s that follow."]),
    Case(
      "never-subscribed", "the peer switches something of the phone's on", after: .discovered, peerWrites + silence,
      say: ["nobody switched its notifications on."]),
    Case(
      "discovery-unfinished", "the peer switches something of the phone's on", after: .connected,
      services + peerWrites + silence, say: ["was discovered, and nobody looked for its characteristics "]),
    Case(
      "notification-without-subscription", "the peer switches something of the phone's on", after: .discovered,
      peerWrites + [.repeated(["00 48"], times: 10)] + peerWrites + [.repeated(["00 48"], times: 10)],
      say: ["and nobody switched notifications on."]),
    Case(
      "notification-without-subscription", "they are not switched off, and what is discovered meanwhile is the phone's",
      measured + [.sent("12 11 00 00 00")] + localTable + [.values(["00 48"]), .received("01 12 11 00 05")]
        + [.repeated(["00 48"], times: 20)], say: []),
  ]

  /// An encrypted connection on which the service is discovered.
  private static func bonded(_ services: String, behind steps: [ExampleStep]) -> [ExampleStep] {
    [.connect, .event(0x08, "00 40 00 01")] + steps
      + [.sent("10 01 00 ff ff 00 28"), .received(services), .wait(1), .disconnect(0x13)]
  }

  /// The peer discovers Service Changed, 0x0003, in the phone's table.
  private static let localTable: [ExampleStep] = [
    .received("08 01 00 ff ff 03 28"), .sent("09 07 02 00 20 03 00 05 2a"), .received("08 04 00 ff ff 03 28"),
    .sent("01 08 04 00 0a"),
  ]
  private static let localChange: [ExampleStep] = [.sent("1d 03 00 01 00 ff ff"), .received("1e")]
  private static let peerWrites: [ExampleStep] = [.received("12 30 00 01 00"), .sent("13")]

  /// Where no events are logged, nothing tells that a connection has ended, and another one begun.
  private static let withoutEvents: [Case] = [
    Case(
      "mtu-exchanged-twice", "on two connections, as it may be", after: .nothing,
      .times(2, [.sent("02 f7 00"), .received("03 b9 00"), .wait(5)]), say: []),
    Case(
      "att-timeout", "the answer may have been of another connection", after: .nothing,
      [
        .sent("02 f7 00"), .received("03 b9 00"), .sent("0a 10 00"), .wait(60), .sent("02 f7 00"),
        .received("03 b9 00"),
      ],
      say: []),
  ]

  static let services: [ExampleStep] = [.sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18")]
  static let silence: [ExampleStep] = [.wait(20), .disconnect(0x16)]

  /// An energy of 64 kJ is reset.
  private static let reset =
    ControlPointResponse.controlPoint + [
      .sent("12 10 00 01 00"), .received("13"), .received("1b 0f 00 08 48 40 00"), .wait(1), .sent("12 12 00 01"),
      .received("13"),
    ]

  private static let refused: [ExampleStep] = [
    .signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 01 02 00 01 00"),
  ]
  private static let accepted: [ExampleStep] = [
    .signalReceived("12 02 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 02 02 00 00 00"),
  ]
  private static let wish = "interval 312.5–500 ms, latency 0, timeout 6 s"

  private static let link: [Case] = [
    Case(
      "pairing-unfinished", "the peer has said the last word", after: .connected,
      [
        .securitySent("01 03 00 01 10 01 01"), .securityReceived("02 03 00 01 10 01 01"), .wait(20), .disconnect(0x16),
      ],
      say: ["the pairing that the local host asked for goes no further "]),
    Case(
      "silent-connection", "the host has sent something", after: .connected,
      [.sent("10 01 00 ff ff 00 28"), .wait(30), .disconnect(0x16)], say: ["the local host sent data, "]),
    Case(
      "parameter-update-rejected", "refused, accepted, and refused again", refused + accepted + refused + measured,
      say: ["the local host refused twice what the peer asked for: \(wish)."], [.warning]),
    Case(
      "parameter-update-rejected", "what the other end asks for is accepted",
      refused + [
        .signalSent("12 01 08 00 06 00 06 00 00 00 48 00"), .signalReceived("13 01 02 00 00 00"),
      ] + measured,
      say: ["the local host refused what the peer asked for: \(wish)."], [.warning]),
    Case(
      "parameter-update-rejected", "the one that was refused hangs up much later",
      refused + [.repeated(["00 48"], times: 70), .disconnect(0x13)],
      say: ["the local host refused what the peer asked for: \(wish)."], [.warning]),
    Case(
      "parameter-update-rejected", "the one that refused hangs up much later",
      refused + [.repeated(["00 48"], times: 70), .disconnect(0x16)],
      say: ["the local host refused what the peer asked for: \(wish); the connection went on all the same, for "],
      [.info]),
    Case(
      "parameter-update-failed", "the host asks for something else than it has granted, and is refused",
      [
        .parametersAsked, .parametersGranted, .command(0x2013, "40 00 18 00 28 00 00 00 48 00 00 00 00 00"),
        .event(0x0F, "12 01 13 20"), .wait(20), .disconnect(0x13),
      ],
      say: [
        "the local host granted the peer other parameters (\(wish)), and did not ask its controller for them in the 20 s ",
        "the local host wanted other parameters (interval 30–50 ms, latency 0, timeout 720 ms), and its controller ",
      ]),
    Case(
      "parameter-update-unanswered", "only the other end's request is answered",
      [
        .signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .signalSent("12 01 08 00 06 00 06 00 00 00 48 00"),
        .signalReceived("13 01 02 00 01 00"), .wait(40),
      ] + measured,
      say: ["the peer asked for \(wish) and had no answer within 30 s."]),
    Case(
      "sensor-hung-up", "contact is back", [.values(["06 48", "04 00", "06 48"]), .disconnect(0x13)],
      say: ["the sensor ended the connection after 4 s."]),
    Case(
      "pairing-unfinished", "the same is asked for once more", after: .connected,
      .times(2, [.securitySent("01 03 00 01 10 01 01"), .wait(8)]) + [.disconnect(0x16)],
      say: ["the local host asked for a pairing, and the peer has not answered in the 16 s that follow."]),
    Case(
      "interval-slower-than-measurements", "too few measurements",
      [.event(0x3E, "03 00 40 00 40 06 00 00 58 02"), .repeated(["00 48"], times: 8)], say: []),
    Case(
      "interval-slower-than-measurements", "the interval was not changed",
      [.event(0x3E, "03 3b 40 00 40 06 00 00 58 02"), .repeated(["00 48"], times: 30)], say: []),
    Case(
      "reconnect-loop", "three in more than a minute, none as long as the others", after: .connected,
      [.wait(30), .disconnect(0x08), .connect, .wait(40), .disconnect(0x08), .connect, .wait(1), .disconnect(0x08)],
      say: []),
    Case(
      "reconnect-loop", "the first of three is shorter by more than a tenth", after: .connected,
      [.wait(30), .disconnect(0x13), .connect, .wait(34), .disconnect(0x13), .connect, .wait(34), .disconnect(0x13)],
      say: []),
    Case(
      "reconnect-loop", "the local host ended one of three, and nobody saw the ends of the others", after: .connected,
      [.wait(5), .disconnect(0x16), .wait(1), .connect, .wait(5), anew(0x41), .wait(5), anew(0x42), .wait(5)],
      say: ["; they ended once with "], [.warning]),
  ]

  /// The peer of examples is connected on a handle, and with that no longer on another.
  private static func anew(_ handle: UInt8) -> ExampleStep {
    .event(0x3E, "01 00 \(String(handle, radix: 16)) 00 00 01 01 11 22 33 44 c5 0c 00 00 00 48 00 00")
  }

  private static let usual: [ExampleStep] = [.repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 4)]
  private static let full = "10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02"

  private static let values: [Case] = [
    Case("contact-support-changed", "it goes away", [.values(["06 48", "00 48"])], say: ["bit vanishes in "]),
    Case("contact-support-changed", "it comes", [.values(["00 48", "06 48"])], say: ["bit appears in "]),
    Case(
      "heart-rate-byte-swapped", "the first one is told", [.values(["01 00 48", "01 00 49"])],
      say: ["18432 bpm would be 72 with its octets in the other order; twice in all."]),
    Case(
      "heart-rate-implausible", "two at different times", [.values(["00 0a", "00 48", "00 05"])],
      say: ["10 bpm.", "5 bpm."]),
    Case(
      "heart-rate-zero", "broken values in between, a few at a time",
      [.values(["00 48", "00 00", "", "", "00 00", "", "", "00 00", "00 48"])], say: ["3 heart rates of 0 in "]),
    Case(
      "heart-rate-zero", "with skin contact, and then without",
      [.values(["06 48", "06 00", "06 48", "04 00", "06 48"])],
      say: ["one heart rate of 0.", "one heart rate of 0, without skin contact."], [.warning, .info]),
    Case(
      "contact-lost", "no rates, and later rates, until the host ends the connection",
      [
        .repeated(["06 48"], times: 3), .repeated(["04 00"], times: 30), .values(["06 48"]),
        .repeated(["04 48"], times: 12), .disconnect(0x16),
      ],
      say: ["contact lost for 30 s", ", to the end ("], [.warning, .warning]),
    Case(
      "contact-lost", "for longer than a sensor that is taken off stays awake",
      [.repeated(["06 48"], times: 5), .repeated(["04 00"], times: 400), .disconnect(0x13)], say: [", to the end ("],
      [.warning]),
    Case(
      "measurement-reserved-flags", "each with another bit", [.values(["20 48", "40 48"])],
      say: ["reserved flags are set (0x60)."]),
    Case(
      "notification-gap", "the host wants to end the connection, and may not",
      [
        .repeated(["16 48 e8 03"], times: 20), .command(0x0406, "40 00 13"), .event(0x0F, "0c 01 06 04"), .wait(20),
        .command(0x0C14, ""),
      ],
      say: [" until the capture ends, "]),
    Case(
      "rr-overflow", "one follows at once",
      usual + [.wait(5), .values([full, "10 78 00 02"], every: 0.05), .wait(1), .values(["10 78 00 02 04 02"])],
      say: [", 1 more follows within 50 ms."]),
    Case(
      "rr-overflow", "one follows at once, and later another one sooner",
      usual + [
        .wait(5), .values([full], every: 0.05), .values(["10 78 00 02"]), .wait(4), .values([full], every: 0.02),
        .values(["10 78 04 02"]),
      ],
      say: ["18 RR-Intervals fill 2 notifications, 2 more follow within 50 ms."]),
    Case(
      "rr-overflow",
      "the beginning of the connection is not there, and what comes is longer than the least ATT_MTU allows",
      after: .nothing,
      [.sent("08 0e 00 13 00 03 28"), .received("09 07 0f 00 10 10 00 37 2a")] + usual
        + .times(3, [.wait(7), .values(["\(full) 02 02 04 02 06 02"])]) + [.repeated(["10 78 00 02 04 02"], times: 20)],
      say: []),
    Case(
      "rr-fill-value", "four times, which may be chance",
      [.repeated(["10 48 55 03"], times: 20)]
        + .times(4, [.values(["10 48 00 01"]), .repeated(["10 48 55 03"], times: 3)]),
      say: []),
    Case("rr-out-of-range", "an interval of a broken value", [.values(["10 48 55 03", "10 48 05 00 01"])], say: []),
    Case(
      "rr-vanished", "behind the first four",
      [.repeated(["10 48 55 03"], times: 4), .repeated(["00 48"], times: 20), .values(["10 48 55 03"])], say: []),
    Case(
      "rr-vanished", "at higher rates only, which are no high ones",
      .times(3, [.repeated(["10 50 00 03"], times: 60), .repeated(["00 64"], times: 60)]),
      say: Array(repeating: "no RR-Intervals for ", count: 3), [.warning, .warning, .warning]),
    Case("energy-every-measurement", "a few", [.repeated(["08 48 40 00"], times: 8)], say: []),
    Case(
      "energy-decreased", "to little, from almost as much as can be told", [.values(["08 48 e8 fd", "08 48 10 00"])],
      say: ["energy falls from 65000 to 16 kJ without a reset."]),
    Case("heart-rate-off-body", "for four seconds", [.repeated(["04 48"], times: 5)], say: []),
    Case(
      "heart-rate-zero", "for longer than half a minute, and then there is one",
      [.repeated(["00 00"], times: 40), .values(["00 48"])], say: [" before the first one above."], [.info]),
    Case("needless-uint16", "nearly as many as fit", [.values(["01 fc 00"])], say: ["a heart rate of 252 bpm in "]),
  ]
}

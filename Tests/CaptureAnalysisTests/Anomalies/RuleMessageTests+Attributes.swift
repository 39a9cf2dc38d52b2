@testable import CaptureAnalysis

// What rules over attributes say where a request comes to nothing, where both ends are servers, and where one thing has
// nothing to do with another.

extension `Messages of rules` {
  private static let refused: [ExampleStep] = [.sent("12 11 00 01 00"), .received("01 12 11 00 0e")]
  private static let over: [ExampleStep] = [.wait(30), .disconnect(0x16)]
  private static let located: [ExampleStep] = [.sent("0a 13 00"), .received("0b 01")]
  /// A piece of which the beginning was lost.
  private static let loss: [ExampleStep] = [.receivedPiece("61 62 63", isContinuation: true)]
  /// A second heart rate service, behind that at 0x000d: measurement 0x0015, control point 0x0018.
  private static let secondControlPoint: [ExampleStep] = [
    .sent("10 13 00 ff ff 00 28"), .received("11 06 13 00 18 00 0d 18"), .sent("08 13 00 18 00 03 28"),
    .received("09 07 14 00 10 15 00 37 2a 17 00 08 18 00 39 2a"),
  ]
  /// After a change of the table the measurement is discovered at 0x0020.
  private static let moved: [ExampleStep] =
    .tableChanged + [
      .sent("10 01 00 ff ff 00 28"), .received("11 06 1e 00 23 00 0d 18"), .sent("08 1e 00 23 00 03 28"),
      .received("09 07 1f 00 10 20 00 37 2a"), .sent("12 21 00 01 00"), .received("01 12 21 00 0e"),
    ]

  /// What was refused has changed nothing.
  static let refusals: [Case] = [
    Case(
      "access-refused", "what may not be written may be read", after: .discovered,
      [.sent("12 11 00 01 00"), .received("01 12 11 00 05"), .sent("0a 11 00"), .received("0b 00 00")] + over,
      say: ["the Write Request for the measurement's configuration (0x0011) was refused with "], [.warning]),
    Case(
      "notification-without-subscription", "switched off, and on again, which is refused",
      measured + off + refused + [.repeated(["00 48"], times: 10)],
      say: ["10 measurements came, the last one "], [.error]),
    Case(
      "notification-without-subscription", "switched on amid them, which is refused", after: .discovered,
      measured + refused + measured, say: ["10 measurements came within "], [.error]),
    Case(
      "notification-without-subscription", "switched on amid them, which has no answer", after: .discovered,
      measured + [.sent("12 11 00 01 00")] + measured,
      say: ["5 measurements came within 4 s, before anybody asked for them (#"], [.error]),
    Case(
      "measurements-switched-off", "on again, which is refused", measured + off + [.wait(10)] + refused + over,
      say: ["and nobody switched them on again in the 40 s that follow."], [.info]),
    Case(
      "measurements-switched-off", "on again, which is refused, and then granted",
      measured + off + [.wait(10)] + refused + [.wait(10)] + on + measured, say: [", and on again 20 s later."],
      [.info]),
    Case(
      "measurements-switched-off", "the table's hash is read meanwhile",
      measured + off
        + [.sent("08 01 00 ff ff 2a 2b"), .received("09 12 09 00" + String(repeating: " 5a", count: 16))] + over,
      say: ["and nobody switched them on again in the 30 s that follow."], [.info]),
    Case(
      "measurement-moved", "where it is now, it may not be switched on", measured + moved + over,
      say: [
        "nobody switched its notifications on: the Write Request for 0x0021 was refused with Unlikely Error (0x0E)."
      ],
      [.warning]),
    Case(
      "measurement-moved", "where it is now, it is switched on at the second attempt",
      measured + moved + [.sent("12 21 00 01 00"), .received("13")] + over, say: []),
    Case(
      "energy-decreased", "the reset was refused", after: .connected,
      ControlPointResponse.controlPoint + [
        .sent("12 10 00 01 00"), .received("13"), .received("1b 0f 00 08 48 40 00"), .sent("12 12 00 01"),
        .received("01 12 12 00 05"), .wait(60), .received("1b 0f 00 08 48 10 00"),
      ],
      say: ["energy falls from 64 to 16 kJ without a reset."], [.error]),
    Case(
      "energy-decreased", "the sensor's own log, where it refuses the reset", after: .connected,
      reflected(ControlPointResponse.controlPoint) + [
        .received("12 10 00 01 00"), .sent("13"), .sent("1b 0f 00 08 48 40 00"), .received("12 12 00 01"),
        .sent("01 12 12 00 05"), .wait(60), .sent("1b 0f 00 08 48 10 00"),
      ],
      say: ["energy falls from 64 to 16 kJ without a reset."], [.error]),
  ]

  /// The other end's attributes may have the same handles.
  static let eitherEnd: [Case] = [
    Case(
      "several-heart-rate-services", "the phone has one, too", after: .connected,
      [.received("10 01 00 ff ff 00 28"), .sent("11 06 1e 00 23 00 0d 18")] + twoServices,
      say: ["2 Heart Rate services: 0x000e to 0x0013, 0x0014 to 0x0019."], [.info]),
    Case(
      "several-heart-rate-services", "both ends have two", after: .connected, reflected(twoServices) + twoServices,
      say: ["2 Heart Rate services of the local host: ", "2 Heart Rate services: "], [.info, .info]),
    Case(
      "energy-without-control-point", "the phone has one", after: .connected,
      [.received("08 01 00 ff ff 03 28"), .sent("09 07 0f 00 08 10 00 39 2a")] + services + [
        .sent("08 0e 00 13 00 03 28"), .received("09 07 0f 00 10 10 00 37 2a"), .sent("08 10 00 13 00 03 28"),
        .received("01 08 10 00 0a"),
      ] + on + [.values(["08 48 10 00"])],
      say: ["and the service has no Heart Rate Control Point."], [.error]),
    Case(
      "never-subscribed", "the peer has switched the phone's on", after: .connected,
      reflected(table + on) + table + silence,
      say: ["the measurement 0x0010 was discovered, and in the 20 s since then nobody switched its notifications on."],
      [.warning]),
    Case(
      "never-subscribed", "it is refused, and the phone grants the peer its own", after: .discovered,
      refused + reflected(table + on) + silence,
      say: ["was refused with Unlikely Error (0x0E)."], [.warning]),
    Case(
      "never-subscribed", "the peer has something else where the phone has its measurement", after: .connected,
      reflected(table + [.sent("04 11 00 11 00"), .received("05 01 11 00 02 29")]) + [
        .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 10 00 0f 18"), .sent("08 0e 00 10 00 03 28"),
        .received("09 07 0f 00 02 10 00 19 2a"),
      ] + silence,
      say: ["the measurement 0x0010 of the local host was discovered, and in the 20"], [.warning]),
    Case(
      "heart-rate-missing", "the peer looks for services of the phone's", after: .nothing,
      .advertisedSensor + [
        .received("10 01 00 ff ff 00 28"), .sent("01 10 01 00 0a"), .sent("0a 03 00"), .received("0b 54"), .wait(40),
        .disconnect(0x16),
      ],
      say: [" of this connection nothing was written to it."], [.info]),
    Case(
      "att-response-mismatch", "by the other bearer, both ways",
      AttResponseMismatch.twoBearers + [
        .channelReceived(0x40, "01 00 13"), .channelReceived(0x41, "02 00 0b 01"),
        .channelReceived(0x40, "03 00 0a 13 00"), .channelReceived(0x41, "05 00 12 17 00 01 00"),
        .channelSent(0x50, "01 00 13"), .channelSent(0x51, "02 00 0b 01"),
      ],
      say: ["the peer answers the local host's ", "the local host answers the peer's "], [.error, .error]),
    Case(
      "att-timeout", "both ends' answers are missing", late + reflected(late) + [.wait(35), .disconnect(0x16)],
      say: ["the local host's Read Request ", "the peer's Read Request "], [.info, .info]),
    Case(
      "measurement-not-notified", "two of them can be read", after: .connected,
      measurements("10") + [.sent("0a 10 00"), .received("0b 00 48"), .sent("0a 16 00"), .received("0b 00 48")],
      say: ["the measurement 0x0010 can be read: 2 octets.", "the measurement 0x0016 can be read: 2 octets."]),
    Case(
      "measurement-not-notified", "two of them are to be indicated, which is another fault", after: .connected,
      measurements("20") + [.received("1d 10 00 00 48"), .sent("1e"), .received("1d 16 00 00 48"), .sent("1e")],
      say: ["the measurement 0x0010 lacks Notify: ", "the measurement 0x0016 lacks Notify: "]),
    Case(
      "database-disordered", "at both ends", after: .connected, backwards + reflected(backwards),
      say: [
        "the Read By Group Type Response has a service from ",
        "the Read By Group Type Response of the local host has a service from ",
      ]),
    Case(
      "cccd-invalid", "at both ends", after: .discovered,
      reflected(table + [.sent("04 11 00 11 00"), .received("05 01 11 00 02 29")]) + short + reflected(short),
      say: ["is written with 1 octet, not 2.", "is written with 1 octet, not 2, by the peer."]),
    Case(
      "control-point-response", "at both ends", after: .connected, taken + reflected(taken),
      say: ["the reserved value 0x02 is accepted.", "the reserved value 0x02 is accepted, by the local host."]),
  ]

  /// What came before, or belongs to another attribute, proves nothing.
  static let apart: [Case] = [
    Case(
      "stale-handles", "two ranges have changed, and the first is used", after: .discovered,
      [
        .sent("08 01 00 05 00 03 28"), .received("09 07 02 00 20 03 00 05 2a"), .received("1d 03 00 0e 00 13 00"),
        .sent("1e"), .received("1d 03 00 20 00 2f 00"), .sent("1e"), .wait(5),
      ] + located + [.wait(5)],
      say: ["a Read Request for the Body Sensor Location (0x0013) comes 5 s after Service Changed, "], [.error]),
    Case(
      "att-parallel-requests", "two at once, after one whose answer is missing",
      [.sent("0a 13 00"), .wait(10)] + on + measured + located + [
        .wait(1), .sent("0a 13 00"), .sent("0a 03 00"), .wait(0.1), .received("0b 01"), .wait(0.1), .received("0b 54"),
      ] + measured,
      say: [
        "sends a Read Request for 0x0003 while its Read Request for the Body Sensor Location (0x0013), 10 ms before"
      ],
      [.error]),
    Case(
      "cccd-invalid", "two values are prepared by turns", after: .discovered,
      ["11 00 00 00 01", "17 00 00 00 01", "11 00 01 00 00", "17 00 01 00 00"].flatMap {
        [.sent("16 \($0)"), .received("17 \($0)")]
      } + [.sent("18 01"), .received("19")], say: []),
    Case(
      "energy-reset-ignored", "another service's is reset", after: .connected,
      ControlPointResponse.controlPoint + secondControlPoint + counted("12 18 00 01"), say: []),
    Case(
      "energy-reset-ignored", "of two services, its own is reset", after: .connected,
      ControlPointResponse.controlPoint + secondControlPoint + counted("12 12 00 01"),
      say: ["the energy was reset at 100 kJ, and is 101 kJ "], [.error]),
    Case(
      "att-response-mismatch", "one before a loss, and another long behind it",
      [.received("0b 01"), .wait(1)] + loss + [.wait(100), .received("13"), .wait(1)],
      say: [
        "the peer sends a Read Response, which answers nothing.",
        "which answers nothing; the capture has lost something before, and may lack this one's request as well.",
      ], [.error, .info]),
    Case(
      "location-invalid", "something was lost in between", after: .discovered,
      located + [.wait(5)] + loss + [.sent("0a 13 00"), .received("0b 02")], say: []),
    Case(
      "location-invalid", "something was lost in between, and measurements go on",
      measured + located + loss + measured + [.sent("0a 13 00"), .received("0b 02")],
      say: ["the location changes from Chest to Wrist "], [.error]),
    Case(
      "location-invalid", "the table has changed in between", after: .discovered,
      located + .tableChanged + services + [
        .sent("08 10 00 13 00 03 28"), .received("09 07 12 00 02 13 00 38 2a"), .sent("0a 13 00"), .received("0b 02"),
      ], say: []),
    Case(
      "database-disordered", "something was lost in between", after: .connected, services + loss + beyond, say: []),
    Case(
      "database-disordered", "nothing was lost in between", after: .connected, services + beyond,
      say: ["has a value 0x0014 behind the end of its service, 0x0013."], [.error]),
  ]

  /// What either end says is said by the other one.
  private static func reflected(_ steps: [ExampleStep]) -> [ExampleStep] {
    steps.map {
      switch $0 {
      case .sent(let pdu): .received(pdu)
      case .received(let pdu): .sent(pdu)
      default: $0
      }
    }
  }

  /// The service and its measurement are discovered.
  private static let table: [ExampleStep] =
    services + [.sent("08 0e 00 13 00 03 28"), .received("09 07 0f 00 10 10 00 37 2a")]

  private static let twoServices: [ExampleStep] = [
    .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18 14 00 19 00 0d 18"),
    .sent("10 1a 00 ff ff 00 28"), .received("01 10 1a 00 0a"),
  ]

  /// Of two services, the measurements with their properties.
  private static func measurements(_ properties: String) -> [ExampleStep] {
    twoServices + [
      .sent("08 0e 00 19 00 03 28"),
      .received("09 07 0f 00 \(properties) 10 00 37 2a 15 00 \(properties) 16 00 37 2a"),
    ]
  }

  /// A request whose answer is missing, and others.
  private static let late: [ExampleStep] =
    [.sent("0a 13 00"), .wait(1)] + located + [.wait(1)] + located + [.wait(1)]

  private static let backwards: [ExampleStep] = [.sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 0d 00 0d 18")]
  private static let short: [ExampleStep] = [.sent("12 11 00 01"), .received("01 12 11 00 0d")]
  private static let taken: [ExampleStep] =
    ControlPointResponse.controlPoint + [.sent("12 12 00 02"), .received("13")]

  /// A measurement whose value lies behind the service of another time.
  private static let beyond: [ExampleStep] = [
    .wait(5), .sent("08 10 00 15 00 03 28"), .received("09 07 13 00 10 14 00 37 2a"),
  ]

  /// An energy that goes on over a reset of something.
  private static func counted(_ reset: String) -> [ExampleStep] {
    [
      .sent("12 10 00 01 00"), .received("13"), .received("1b 0f 00 08 48 64 00"), .wait(1), .sent(reset),
      .received("13"), .wait(3), .received("1b 0f 00 08 48 65 00"), .wait(10), .received("1b 0f 00 08 48 65 00"),
    ]
  }
}

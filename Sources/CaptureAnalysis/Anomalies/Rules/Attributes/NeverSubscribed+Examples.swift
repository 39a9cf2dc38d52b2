extension NeverSubscribed {
  static let examples: [RuleExample] = [
    .finds("nobody writes the configuration", after: .discovered, [.wait(20), .disconnect(0x16)]),
    .finds(
      "the measurement is read again and again instead", after: .discovered,
      .times(3, [.sent("0a 10 00"), .received("01 0a 10 00 02"), .wait(7)]) + [.disconnect(0x16)]),
    .finds(
      "something else is configured, which is only mentioned", after: .discovered,
      [
        .sent("10 14 00 ff ff 00 28"), .received("11 06 14 00 17 00 0f 18"),
        .sent("08 14 00 17 00 03 28"), .received("09 07 15 00 12 16 00 19 2a"),
        .sent("04 17 00 17 00"), .received("05 01 17 00 02 29"),
        .sent("12 17 00 01 00"), .received("13"), .wait(20), .disconnect(0x16),
      ]),
    .finds(
      "something else is configured through a handle that was not discovered", after: .discovered,
      NotificationWithoutSubscription.batteryService + [
        .sent("12 17 00 01 00"), .received("13"), .wait(20), .disconnect(0x16),
      ]),
    .quiet(
      "what is configured lies in no service that is known", after: .discovered,
      [.sent("12 20 00 01 00"), .received("13"), .wait(20), .disconnect(0x16)]),
    .finds(
      "a bond may have kept it, which is only mentioned", after: .discovered,
      [.event(0x08, "00 40 00 01"), .wait(20), .disconnect(0x16)]),
    .finds("until the capture ends", after: .discovered, [.wait(20), .event(0x0F, "00 01 00 00")]),
    .finds(
      "it is known from an earlier connection, and forgotten on the next", after: .nothing,
      connection + [
        .disconnect(0x13), .wait(5), .connect, .sent("02 17 00"), .received("03 17 00"), .wait(20), .disconnect(0x16),
      ]),
    .quiet(
      "the next connection is bonded, and the one before was not", after: .nothing,
      connection + [.disconnect(0x13), .wait(5), .connect, .event(0x08, "00 40 00 01"), .wait(20), .disconnect(0x16)]),
    .finds(
      "a bond keeps it, and nothing comes", after: .nothing,
      connection + [.event(0x08, "00 40 00 01"), .disconnect(0x13), .wait(5), .connect]
        + [.event(0x08, "00 40 00 01"), .wait(20), .disconnect(0x16)]),
    .quiet(
      "a bond keeps it, and it was switched off", after: .nothing,
      connection + [.event(0x08, "00 40 00 01"), .sent("12 11 00 00 00"), .received("13"), .disconnect(0x13)]
        + [.wait(5), .connect, .event(0x08, "00 40 00 01"), .wait(20), .disconnect(0x16)]),
    .finds(
      "in a sensor's own log, the peer forgets it on the next connection", after: .nothing,
      [.connect] + NotificationWithoutSubscription.localSensor
        + [.sent("1b 10 00 00 48"), .disconnect(0x08), .wait(5), .connect, .wait(20), .disconnect(0x13)]),
    .quiet(
      "in a sensor's own log, the peer had switched it off", after: .nothing,
      [.connect] + NotificationWithoutSubscription.localSensor
        + [.sent("1b 10 00 00 48"), .received("12 11 00 00 00"), .sent("13"), .disconnect(0x13), .wait(5), .connect]
        + [.wait(20), .disconnect(0x13)]),
    .quiet(
      "the next connection is over at once", after: .nothing,
      connection + [.disconnect(0x13), .wait(5), .connect, .wait(5), .disconnect(0x16)]),
    .quiet(
      "on the next connection it is written again", after: .nothing,
      connection + [
        .disconnect(0x13), .wait(5), .connect, .sent("12 11 00 01 00"), .received("13"), .wait(20), .disconnect(0x16),
      ]),
    .finds(
      "on the next connection it is refused, and refused again, which is told once", after: .nothing,
      connection + [.disconnect(0x13), .wait(5), .connect]
        + .times(5, [.sent("12 11 00 01 00"), .received("01 12 11 00 11"), .wait(1)]) + [.disconnect(0x16)]),
    .finds(
      "the next connection is bonded, and it is refused", after: .nothing,
      connection + [
        .disconnect(0x13), .wait(5), .connect, .event(0x08, "00 40 00 01"), .sent("12 11 00 01 00"),
        .received("01 12 11 00 03"), .wait(1), .disconnect(0x16),
      ]),
    .finds(
      "on the next connection it is prepared, and not executed", after: .nothing,
      connection + [
        .disconnect(0x13), .wait(5), .connect, .sent("16 11 00 00 00 01 00"), .received("17 11 00 00 00 01 00"),
        .wait(20), .disconnect(0x16),
      ]),
    .quiet(
      "on the next connection it is refused, and granted where it is discovered anew", after: .nothing,
      connection + [
        .disconnect(0x13), .wait(5), .connect, .sent("12 11 00 01 00"), .received("01 12 11 00 03"),
        .sent("10 01 00 ff ff 00 28"), .received("11 06 14 00 1e 00 0d 18"),
        .sent("08 14 00 1e 00 03 28"), .received("09 07 15 00 10 16 00 37 2a"), .sent("12 17 00 01 00"),
        .received("13"), .wait(20), .disconnect(0x16),
      ]),
    .quiet(
      "on the next connection it is refused for want of security, which is another fault", after: .nothing,
      connection + [
        .disconnect(0x13), .wait(5), .connect, .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(20),
        .disconnect(0x16),
      ]),
    .quiet(
      "on the next connection something is written that another one's table tells", after: .nothing,
      connection + NotificationWithoutSubscription.batteryService + [
        .disconnect(0x13), .wait(5), .connect, .sent("12 17 00 01 00"), .received("13"), .wait(20), .disconnect(0x16),
      ]),
    .quiet("it is written", [.wait(20), .disconnect(0x16)]),
    .quiet("it is over at once", after: .discovered, [.wait(3), .disconnect(0x16)]),
    .finds(
      "the write is refused", after: .discovered,
      [.sent("12 11 00 01 00"), .received("01 12 11 00 0e"), .wait(20), .disconnect(0x16)]),
    .finds(
      "it is refused, and the connection is over at once", after: .discovered,
      [.sent("12 11 00 01 00"), .received("01 12 11 00 fd"), .wait(1), .disconnect(0x16)]),
    .finds(
      "it is refused again and again, which is told once", after: .discovered,
      [
        .sent("12 11 00 01 00"), .received("01 12 11 00 11"), .wait(5), .sent("12 11 00 01 00"),
        .received("01 12 11 00 11"), .wait(20), .disconnect(0x16),
      ]),
    .finds(
      "it is refused for want of security, and not written again when the link is encrypted", after: .discovered,
      [
        .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(1), .event(0x08, "00 40 00 01"), .wait(20),
        .disconnect(0x16),
      ]),
    .quiet(
      "the capture ends just when the link is encrypted", after: .discovered,
      [.sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(1), .event(0x08, "00 40 00 01"), .wait(2)]),
    .finds(
      "the write is not answered", after: .discovered, [.sent("12 11 00 01 00"), .wait(20), .disconnect(0x16)]),
    .finds(
      "what was prepared is not executed, as that is refused", after: .discovered,
      [
        .sent("16 11 00 00 00 01 00"), .received("17 11 00 00 00 01 00"), .sent("18 01"), .received("01 18 00 00 11"),
        .wait(20), .disconnect(0x16),
      ]),
    .finds(
      "what was prepared is never executed", after: .discovered,
      [.sent("16 11 00 00 00 01 00"), .received("17 11 00 00 00 01 00"), .wait(40), .disconnect(0x16)]),
    .quiet(
      "the connection is over before it could be executed", after: .discovered,
      [.sent("16 11 00 00 00 01 00"), .received("17 11 00 00 00 01 00"), .wait(1), .disconnect(0x16)]),
    .finds(
      "what was prepared is cancelled", after: .discovered,
      [
        .sent("16 11 00 00 00 01 00"), .received("17 11 00 00 00 01 00"), .sent("18 00"), .received("19"), .wait(20),
        .disconnect(0x16),
      ]),
    .finds(
      "no bit of what is written asks for them", after: .discovered,
      [.sent("12 11 00 00 01"), .received("13"), .wait(20), .disconnect(0x16)]),
    .quiet(
      "the write is refused, and granted later", after: .discovered,
      [
        .sent("12 11 00 01 00"), .received("01 12 11 00 0e"), .wait(5), .sent("12 11 00 01 00"), .received("13"),
        .wait(20), .disconnect(0x16),
      ]),
    .quiet(
      "it is refused for want of security, which is another fault", after: .discovered,
      [.sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(20), .disconnect(0x16)]),
    .quiet(
      "it is refused for want of security, and written again when the link is encrypted", after: .discovered,
      [
        .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(1), .event(0x08, "00 40 00 01"),
        .sent("12 11 00 01 00"), .received("13"), .wait(20), .disconnect(0x16),
      ]),
    .quiet(
      "it is not answered in time, which is another fault", after: .discovered,
      [.sent("12 11 00 01 00"), .wait(40), .disconnect(0x16)]),
    .quiet(
      "the connection is over before it could be answered", after: .discovered,
      [.wait(20), .sent("12 11 00 01 00"), .wait(1), .disconnect(0x16)]),
    .quiet(
      "it is prepared and executed", after: .discovered,
      [
        .sent("16 11 00 00 00 01 00"), .received("17 11 00 00 00 01 00"), .sent("18 01"), .received("19"), .wait(20),
        .disconnect(0x16),
      ]),
    .quiet(
      "it is written by a command, which nobody answers", after: .discovered,
      [.sent("52 11 00 01 00"), .wait(20), .disconnect(0x16)]),
    .quiet("measurements come all the same", after: .discovered, [.wait(12), .values(["00 48"])]),
    .quiet(
      "the beginning is not in the capture", after: .nothing,
      [.sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 10 10 00 37 2a"), .wait(20), .disconnect(0x16)]),
    .finds(
      "it has no configuration that could be written", after: .nothing,
      [
        .connect, .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 12 00 0d 18"), .sent("08 0e 00 12 00 03 28"),
        .received("09 07 0f 00 10 10 00 37 2a 11 00 02 12 00 38 2a"), .wait(1), .disconnect(0x16),
      ]),
    .finds(
      "all that stands behind it is something else", after: .nothing,
      [
        .connect, .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 11 00 0d 18"), .sent("08 0e 00 11 00 03 28"),
        .received("09 07 0f 00 10 10 00 37 2a"), .sent("04 11 00 11 00"), .received("05 01 11 00 01 29"), .wait(1),
        .disconnect(0x16),
      ]),
    .quiet(
      "it has none, and notifies all the same", after: .nothing,
      [
        .connect, .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 10 00 0d 18"), .sent("08 0e 00 10 00 03 28"),
        .received("09 07 0f 00 10 10 00 37 2a"), .repeated(["00 48"], times: 5), .disconnect(0x16),
      ]),
  ]

  /// One on which the measurement is discovered and subscribed to.
  private static var connection: [ExampleStep] {
    [
      .connect, .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 18 00 0d 18"),
      .sent("08 0e 00 18 00 03 28"), .received("09 07 0f 00 10 10 00 37 2a"), .sent("12 11 00 01 00"), .received("13"),
      .values(["00 48", "00 49"]),
    ]
  }
}

extension NotificationGap {
  static let examples: [RuleExample] = [
    .finds(
      "eight seconds without a value",
      [.repeated(["16 48 e8 03"], times: 10), .wait(8), .repeated(["16 48 e8 03"], times: 3)]),
    .finds(
      "they are switched on once more while nothing comes, which changes nothing",
      [.repeated(["16 48 e8 03"], times: 10), .wait(30), .sent("12 11 00 01 00"), .received("13"), .wait(30)]
        + [.repeated(["16 48 e8 03"], times: 3)]),
    .finds(
      "before the usual period is known", [.values(["16 48 e8 03"]), .wait(8), .repeated(["16 48 e8 03"], times: 10)]),
    .quiet(
      "a value that is a little late", [.repeated(["16 48 e8 03"], times: 10), .wait(0.9), .values(["16 48 e8 03"])]),
    .finds(
      "ten seconds without a value, until the host hangs up",
      [.repeated(["16 48 e8 03"], times: 10), .wait(10), .disconnect(0x16)]),
    .finds(
      "ten seconds without a value, until the capture ends",
      [.repeated(["16 48 e8 03"], times: 10), .wait(10), .event(0x0E, "01 14 0c 00")]),
    .finds(
      "ten seconds without a value, until they are switched off",
      [
        .repeated(["16 48 e8 03"], times: 10), .wait(10), .sent("12 11 00 00 00"), .received("13"), .wait(1),
        .disconnect(0x16),
      ]),
    .finds(
      "ten seconds without a value, until the host resets its controller",
      [.repeated(["16 48 e8 03"], times: 10), .wait(10), .event(0x0E, "01 03 0c 00")]),
    .quiet("the sensor hangs up", [.repeated(["16 48 e8 03"], times: 10), .wait(10), .disconnect(0x13)]),
    .finds(
      "the local host is the sensor, and its peer hangs up", after: .connected,
      localSensor + [.wait(10), .disconnect(0x13)]),
    .quiet(
      "the local host is the sensor, and hangs up", after: .connected, localSensor + [.wait(10), .disconnect(0x16)]),
    .quiet(
      "notifications are switched off and on again",
      [
        .repeated(["16 48 e8 03"], times: 10), .sent("12 11 00 00 00"), .received("13"), .wait(60),
        .sent("12 11 00 01 00"), .received("13"), .repeated(["16 48 e8 03"], times: 3),
      ]),
    .quiet(
      "notifications are switched off, on, and at once off again",
      [
        .repeated(["16 48 e8 03"], times: 10), .sent("12 11 00 00 00"), .received("13"), .wait(40),
        .sent("12 11 00 01 00"), .received("13"), .sent("12 11 00 00 00"), .received("13"), .wait(1),
        .disconnect(0x16),
      ]),
    .quiet(
      "notifications are switched off, and the sensor goes on after a while",
      [
        .repeated(["16 48 e8 03"], times: 10), .sent("12 11 00 00 00"), .received("13"), .wait(6),
        .repeated(["16 48 e8 03"], times: 3),
      ]),
    .quiet(
      "two and three at a time, as a latency of 4 intervals of 500 ms brings them",
      [.event(0x3E, "03 00 40 00 90 01 04 00 58 02")] + IntervalSlowerThanMeasurements.bundles),
    .quiet(
      "two by two, as an interval of 2 s brings them",
      [.event(0x3E, "03 00 40 00 40 06 00 00 58 02")] + NotificationBurst.twoByTwo),
    .finds(
      "the parameters change while nothing comes",
      [
        .repeated(["16 48 e8 03"], times: 10), .wait(4), .event(0x3E, "03 00 40 00 90 01 00 00 58 02"), .wait(4),
        .repeated(["16 48 e8 03"], times: 3),
      ]),
    .quiet(
      "a wait for the last connection event of one interval, and the first of another",
      [.repeated(["10 3c 00 04"], times: 20), .event(0x3E, "03 00 40 00 40 06 00 00 58 02")]
        + NotificationBurst.twoByTwo
        + [.wait(2), .event(0x3E, "03 00 40 00 b0 04 00 00 58 02"), .wait(1.4), .repeated(["10 3c 00 04"], times: 5)]
    ),
    .quiet("a latency that is used from some time on", IntervalSlowerThanMeasurements.laterBundles),
    .quiet("in the rhythm of a latency that is not told", after: .nothing, NotificationBurst.inRhythm),
    .finds("at once behind one silence and another", after: .nothing, NotificationBurst.withoutRhythm, count: 6),
    .finds(
      "a silence that the latency allows, and one value behind it",
      [
        .event(0x3E, "03 00 40 00 90 01 05 00 58 02"), .repeated(["10 3c 00 04"], times: 20), .wait(1.9),
        .repeated(["10 3c 00 04"], times: 5),
      ]),
    .quiet(
      "a watch that measures every one to four seconds, the quick ones first",
      .times(
        2,
        [1.1, 1.4, 1, 1.3, 1.2, 3.6, 2.2, 3.9, 2.8, 3.5, 1.9, 2.6].flatMap {
          [.wait($0 - 1), .values(["16 48 e8 03"])]
        })),
    .finds(
      "eight seconds of a watch that measures every one to four",
      [1.1, 1.4, 1, 1.3, 1.2, 3.6, 2.2, 8.9, 2.8, 3.5, 1.9, 2.6].flatMap {
        [.wait($0 - 1), .values(["16 48 e8 03"])]
      }),
    .quiet("each of a watch that measures every one to three seconds is sent twice", irregularTwice),
    .finds(
      "the sensor becomes slower: every five seconds from some time on",
      [.repeated(["16 48 e8 03"], times: 30), .repeated(["16 48 e8 03"], times: 20, every: 5)]),
    .finds(
      "two gaps of the same length, and one much longer",
      [.repeated(["16 48 e8 03"], times: 30), .wait(4), .values(["16 48 e8 03"])]
        + [.wait(4), .values(["16 48 e8 03"]), .wait(20), .repeated(["16 48 e8 03"], times: 3)], count: 3),
    .finds(
      "every four seconds and every two in turns, from some time on",
      [.repeated(["16 48 e8 03"], times: 30)]
        + .times(8, [.wait(3), .values(["16 48 e8 03"]), .wait(1), .values(["16 48 e8 03"])])),
    .quiet(
      "a heart that stands still for two and a half seconds, of a sensor that notifies each beat",
      [
        .repeated(["10 48 55 03"], times: 20, every: 0.833), .wait(1.667), .values(["10 18 00 0a"]),
        .repeated(["10 48 55 03"], times: 20, every: 0.833),
      ]),
    .finds(
      "behind the battery level's notifications, which were switched off",
      [
        .sent("08 14 00 17 00 03 28"), .received("09 07 15 00 12 16 00 19 2a"), .sent("12 17 00 01 00"),
        .received("13"), .repeated(["16 48 e8 03"], times: 10), .sent("12 17 00 00 00"), .received("13"), .wait(8),
        .repeated(["16 48 e8 03"], times: 3),
      ]),
    .finds(
      "of two services, one is switched off, and the other one falls silent later",
      NotificationWithoutSubscription.secondService + [
        .sent("12 17 00 01 00"), .received("13"), .repeated(["16 48 e8 03"], times: 10), .sent("12 11 00 00 00"),
        .received("13"), .wait(4),
      ] + .times(3, [.received("1b 16 00 16 48 e8 03"), .wait(1)]) + [.wait(8), .received("1b 16 00 16 48 e8 03")]),
    .quiet(
      "behind the host's wish to end the connection, of whose end the capture does not tell",
      [
        .repeated(["16 48 e8 03"], times: 20), .command(0x0406, "40 00 13"), .event(0x0F, "00 01 06 04"), .wait(20),
        .command(0x0C14, ""),
      ]),
    .finds(
      "before the host's wish to end the connection, of whose end the capture does not tell",
      [
        .repeated(["16 48 e8 03"], times: 20), .wait(20), .command(0x0406, "40 00 13"),
        .event(0x0F, "00 01 06 04"), .wait(20), .command(0x0C14, ""),
      ]),
    .quiet("a sensor that measures every five seconds", [.repeated(["16 48 e8 03"], times: 12, every: 5)]),
    .finds(
      "three values, and none in the minute until the host hangs up",
      [.repeated(["16 48 e8 03"], times: 3), .wait(60), .disconnect(0x16)]),
    .finds(
      "one value, and none in the two minutes until the capture ends",
      [.values(["16 48 e8 03"]), .wait(120), .event(0x0E, "01 14 0c 00")]),
    .finds(
      "two values, and none in the minute in which the battery is read, until the link is lost",
      [.repeated(["16 48 e8 03"], times: 2)]
        + .times(6, [.sent("0a 17 00"), .received("0b 50"), .wait(10)]) + [.disconnect(0x08)]),
    .finds(
      "three values, switched on once more, and none in the minute until the host hangs up",
      [
        .repeated(["16 48 e8 03"], times: 3), .wait(3), .sent("12 11 00 01 00"), .received("13"), .wait(60),
        .disconnect(0x16),
      ]),
    .quiet(
      "one value, and none in the half minute that is left",
      [.values(["16 48 e8 03"]), .wait(30), .disconnect(0x16)]),
    .quiet(
      "three values of a sensor that measures every twelve seconds, and none in the half minute that is left",
      [.repeated(["16 48 e8 03"], times: 3, every: 12), .wait(20), .disconnect(0x16)]),
  ]
  /// The peer discovers the local host's Heart Rate, and switches its measurements on; ten come.
  private static let localSensor: [ExampleStep] =
    [
      .received("10 01 00 ff ff 00 28"), .sent("11 06 0e 00 13 00 0d 18"), .received("08 0e 00 13 00 03 28"),
      .sent("09 07 0f 00 10 10 00 37 2a"), .received("12 11 00 01 00"), .sent("13"),
    ] + .times(10, [.sent("1b 10 00 16 48 e8 03"), .wait(1)])
  /// Measurements after one to two and a half seconds, each of them twice.
  static let irregularTwice = [1.1, 2.4, 1, 1.7, 2.1, 1.3, 2.3, 1.2].enumerated().flatMap { place, seconds in
    [.wait(seconds - 0.02), .repeated(["00 4\(place)"], times: 2, every: 0.01)] as [ExampleStep]
  }
}

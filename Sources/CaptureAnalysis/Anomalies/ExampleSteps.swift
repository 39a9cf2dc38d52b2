// Steps that examples of several rules share.

extension ExampleStep {
  /// The peer asks for other connection parameters: 312.5 ms to 500 ms, latency 0, timeout 6 s.
  static let parametersAsked = ExampleStep.signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02")
  /// The local host grants the peer what it has asked for.
  static let parametersGranted = ExampleStep.signalSent("13 01 02 00 00 00")
  /// It refuses that.
  static let parametersRefused = ExampleStep.signalSent("13 01 02 00 01 00")
  /// It asks its controller for the same parameters.
  static let parametersCommanded = ExampleStep.command(0x2013, "40 00 fa 00 90 01 00 00 58 02 00 00 00 00")
  /// It asks it for a connection with C5:44:33:22:11:01.
  static let create = ExampleStep.command(
    0x200D, "60 00 30 00 00 01 01 11 22 33 44 c5 00 18 00 28 00 00 00 2a 00 00 00 00 00")
}

extension [ExampleStep] {
  /// The local host tries to connect.
  static let attempt: [ExampleStep] = [.create, .event(0x0F, "00 01 0d 20")]
  /// It tries to, and gives it up.
  static let attemptGivenUp = attempt + givenUp("01")
  /// It puts the device on its accept list, asks for a connection with anyone on that, and takes it off the list thirty
  /// seconds later.
  static let listedAttemptGivenUp: [ExampleStep] =
    listed + awaited + [.wait(30)] + awaitedNoLonger
    + [.command(0x2012, "01 01 11 22 33 44 c5"), .event(0x0E, "01 12 20 00")]
  /// It puts the device on its accept list.
  static let listed: [ExampleStep] = [.command(0x2011, "01 01 11 22 33 44 c5"), .event(0x0E, "01 11 20 00")]
  /// It asks for a connection with anyone on its accept list.
  static let awaited: [ExampleStep] = [
    .command(0x200D, "60 00 30 00 01 00 00 00 00 00 00 00 00 18 00 28 00 00 00 2a 00 00 00 00 00"),
    .event(0x0F, "00 01 0d 20"),
  ]
  /// It does not wait for anyone on that any longer, or not while it changes the list.
  static let awaitedNoLonger: [ExampleStep] = [
    .command(0x200E, ""), .event(0x0E, "01 0e 20 00"),
    .event(0x3E, "01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
  ]
  /// It tries to connect with the same octets as a public address, and gives it up.
  static let publicAttemptGivenUp: [ExampleStep] =
    [
      .command(0x200D, "60 00 30 00 00 00 01 11 22 33 44 c5 00 18 00 28 00 00 00 2a 00 00 00 00 00"),
      .event(0x0F, "00 01 0d 20"),
    ] + givenUp("00")

  /// It gives an attempt up, ten seconds later.
  static func givenUp(_ addressType: String) -> [ExampleStep] {
    [
      .wait(10), .command(0x200E, ""), .event(0x0E, "01 0e 20 00"),
      .event(0x3E, "01 02 00 00 00 \(addressType) 01 11 22 33 44 c5 00 00 00 00 00 00 00"),
    ]
  }

  /// The server has Service Changed, and indicates that everything has changed.
  static let tableChanged: [ExampleStep] = [
    .sent("08 01 00 05 00 03 28"), .received("09 07 02 00 20 03 00 05 2a"), .received("1d 03 00 01 00 ff ff"),
    .sent("1e"),
  ]

  /// Steps again and again.
  static func times(_ count: Int, _ steps: [ExampleStep]) -> [ExampleStep] {
    (0..<count).flatMap { _ in steps }
  }

  /// A sensor lists Heart Rate in its advertising, and a connection is made.
  static let advertisedSensor: [ExampleStep] = [
    .event(0x3E, "02 01 00 01 01 11 22 33 44 c5 07 02 01 06 03 03 0d 18 c4"), .connect,
  ]
}

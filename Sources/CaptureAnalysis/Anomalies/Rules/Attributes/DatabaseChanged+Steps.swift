/// What the rule's examples are made of.
extension DatabaseChanged {
  /// A connection in which one service is discovered.
  static func connection(_ answer: String) -> [ExampleStep] {
    [.connect, .sent("10 01 00 ff ff 00 28"), .received(answer), .disconnect(0x13)]
  }

  /// One that is encrypted, too.
  static func bondedConnection(_ answer: String) -> [ExampleStep] {
    [.connect, .event(0x08, "00 40 00 01"), .sent("10 01 00 ff ff 00 28"), .received(answer), .disconnect(0x13)]
  }

  /// A connection in which services are discovered until there are no more.
  static func whole(_ answer: String, next: String) -> [ExampleStep] {
    [
      .connect, .sent("10 01 00 ff ff 00 28"), .received(answer), .sent("10 \(next) ff ff 00 28"),
      .received("01 10 \(next) 0a"), .disconnect(0x13),
    ]
  }

  /// A connection in which two primary services are discovered, and then a secondary one between them.
  static let withSecondary: [ExampleStep] = [
    .connect, .sent("10 01 00 ff ff 00 28"), .received("11 06 01 00 05 00 00 18 0e 00 13 00 0d 18"),
    .sent("10 14 00 ff ff 00 28"), .received("01 10 14 00 0a"), .sent("10 01 00 ff ff 01 28"),
    .received("11 06 06 00 09 00 0a 18"), .sent("10 0a 00 ff ff 01 28"), .received("01 10 0a 00 0a"),
    .disconnect(0x13),
  ]
}

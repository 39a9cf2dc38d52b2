import Octets
import Testing

@Suite struct `Parsing error` {
  @Test(
    arguments: [
      (.tooShort(needed: 2, available: 1), nil, "RR-Interval needs 2 octets, 1 left"),
      (.tooShort(needed: 2, available: 0), nil, "RR-Interval needs 2 octets, none left"),
      (.tooShort(needed: 1, available: 0), nil, "RR-Interval needs 1 octet, none left"),
      (
        .tooShort(needed: 24, available: 23), "the L2CAP length",
        "RR-Interval needs 24 octets, 23 left, as the L2CAP length says"
      ),
      (.leftOver(count: 1), nil, "1 octet left over after RR-Interval"),
      (.leftOver(count: 3), "the event's length", "3 octets left over after RR-Interval, as the event's length says"),
      (.invalid("9, neither 1 nor 2"), nil, "RR-Interval: 9, neither 1 nor 2"),
    ] as [(ParsingError.Problem, String?, String)])
  func `says what is wrong in plain words`(problem: ParsingError.Problem, limit: String?, text: String) {
    let error = ParsingError(
      layer: "Heart Rate Measurement", field: "RR-Interval", problem: problem, offset: 12, limit: limit)
    #expect(error.description == text)
  }

  @Test(arguments: [(0, "0 octets"), (1, "1 octet"), (2, "2 octets")]) func `counts octets`(count: Int, words: String) {
    #expect(count.octetWords == words && UInt16(count).octetWords == words)
  }

  @Test func `errors are equal when all they say is`() {
    let error = ParsingError(layer: "ATT", field: "Opcode", problem: .leftOver(count: 1), offset: 1)
    var other = error
    #expect(error == other)
    other.offset = 2
    #expect(error != other)
  }
}

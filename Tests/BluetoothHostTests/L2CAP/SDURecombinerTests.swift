import BluetoothHost
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 3, Part A, 3.4.3.
@Suite struct `Recombination of K-frames` {
  /// A frame, or what is known to be missing instead of one.
  enum Piece: ExpressibleByStringLiteral {
    case frame(String, kept: Int? = nil)
    case doubt, abandon

    init(stringLiteral text: String) { self = .frame(text) }
  }

  private func recombine(_ pieces: [Piece]) -> [String] {
    var recombiner = SDURecombiner()
    var output: [String] = []
    for piece in pieces {
      switch piece {
      case .doubt: recombiner.doubt()
      case .abandon: recombiner.abandon()
      case .frame(let text, let kept):
        hex(text).captured(keeping: kept) { frame in
          let step = recombiner.add(frame, longest: 64)
          if let fault = step.fault { output.append(fault.message) }
          switch step.state {
          case .whole: output.append(frame.wholeSDU.text)
          case .complete: output.append(recombiner.sdu.text)
          case .incomplete, .nothing: break
          }
        }
      }
    }
    return output
  }

  private static let tooLong = "more octets than the PDU's length says"
  private static let orphan = "a continuation fragment without a start"
  private static let another = "a PDU began before the one before it was finished"

  @Test func `an SDU in one frame, and in several`() {
    #expect(recombine(["0400 1b100016", "0400 1b10", "0016", "0100 0b"]) == ["1b100016", "1b100016", "0b"])
  }

  @Test func `an SDU length split between frames`() {
    #expect(recombine(["04", "00 1b", "100016", "0100 0b"]) == ["1b100016", "0b"])
  }

  /// A fault of its sender's, and another finding: what it sent is told all the same.
  @Test func `an SDU longer than it may be, in several frames`() {
    let value = String(repeating: "16", count: 78)
    let frames = ["5100 1b1000" + value.prefix(80), String(value.dropFirst(80)), "0100 0b"]
    #expect(recombine(frames.map { .frame($0) }) == ["1b1000" + value, "0b"])
  }

  @Test func `an empty SDU`() {
    #expect(recombine(["0000", "0100 0b"]) == ["", "0b"])
  }

  @Test func `more octets than the SDU has cost the SDU`() {
    #expect(
      recombine(["0200 1b10", "0200 1b1000", "0400 1b10", "001648", "0100 0b"])
        == ["1b10", Self.tooLong, Self.tooLong, "0b"])
  }

  /// Nothing tells that a frame is missing, but what comes instead does not fit.
  @Test func `a frame that is too long begins another SDU, if it can`() {
    #expect(recombine(["0600 1b10", "0400 1b100016", "0100 0b"]) == [Self.another, "1b100016", "0b"])
    #expect(recombine(["0500 1b10", "0600 1b10", "00164849"]) == [Self.another, "1b1000164849"])
    // No opcode, or no length.
    #expect(recombine(["0400 1b10", "0400 ff100016", "0100 0b"]) == [Self.tooLong, "0b"])
    #expect(recombine(["0400 1b10", "0004 1b100016", "0100 0b"]) == [Self.tooLong, "0b"])
  }

  @Test func `a frame that is too short begins another SDU, if it is one`() {
    #expect(recombine(["1600 1b100016", "0200 0b01", "0100 0b"]) == [Self.another, "0b01", "0b"])
    #expect(recombine(["0a00 1b100016", "0300 0b", "414243"]) == ["1b1000160300" + "0b414243"])
    #expect(recombine(["0800 1b100016", "0200 0b01", "0100 0b"]) == ["1b10001602000b01", "0b"])
  }

  @Test func `the rest of an SDU whose beginning is missing is not waited for`() {
    #expect(recombine(["4849", "0100 0b"]) == [Self.orphan, "0b"])
    #expect(recombine(["4849 50", "0100 0b"]) == [Self.orphan, "0b"])
    #expect(recombine(["1000 ff", "0100 0b"]) == [Self.orphan, "0b"])
  }

  @Test func `where a frame may be missing, what looks like a beginning is one`() {
    #expect(recombine(["1300 1b100016", .doubt, "0400 1b100017"]) == [Self.another, "1b100017"])
    // The rest comes after all.
    #expect(recombine(["0600 1b10", .doubt, "00164849", "0100 0b"]) == ["1b1000164849", "0b"])
    #expect(recombine(["0600 1b10", .doubt, "0016", "4849", "0100 0b"]) == ["1b1000164849", "0b"])
    // The first of several is as long as the first of those before; a shorter one is the rest.
    #expect(recombine(["0a00 1b100016", .doubt, "0a00 1b100017", "010203040506"]).last == "1b100017010203040506")
    #expect(recombine(["0a00 1b100016", .doubt, "0a00 1b10", "0102", "0100 0b"]).last == "0b")
  }

  @Test func `where a frame is missing, what does not look like a beginning is none`() {
    #expect(recombine(["1300 1b100016", .abandon, "4849", "0400 1b100017", "0000"]) == ["1b100017", ""])
    #expect(recombine([.abandon, "0600 1b10", "00164849", "0100 0b"]) == ["1b1000164849", "0b"])
    // Longer than any of the channel may be.
    #expect(recombine([.abandon, "4100 1b10", "0100 0b"]) == ["0b"])
  }

  /// The rest of an SDU reads as the beginning of one of 8707 octets: it is not waited for.
  @Test func `an SDU longer than it may be gives way to what is whole`() {
    #expect(recombine(["0322 032303", "0500 1b10000641", "0100 0b"]) == [Self.another, "1b10000641", "0b"])
    #expect(recombine(["0322 0323032403", "0300 1b1000", "0100 0b"]) == [Self.another, "1b1000", "0b"])
  }

  @Test func `a frame longer than the first begins another SDU, if it is one`() {
    #expect(recombine(["3000 1b100016", "0500 1b10000641", "0100 0b"]) == [Self.another, "1b10000641", "0b"])
    #expect(recombine(["0c00 1b100016", "0102030405060708"]) == ["1b1000160102030405060708"])
  }

  /// Its first octets would be the length and the opcode of a whole SDU, too.
  @Test func `a frame that is just what the SDU lacks is its last`() {
    #expect(recombine(["0900 233d00", "0400 163b2104", "0100 0b"]) == ["233d000400163b2104", "0b"])
  }

  /// The last of these frames reads as the beginning of another SDU.
  @Test func `frames that their sender did not fill`() {
    let value = "1b1000164801" + "020304" + "10001b0102030405" + "0607" + "0809101112"
    let frames = ["1800 1b1000164801", "020304", "1000 1b0102030405", "0607", "0809101112"]
    #expect(recombine(frames.map { .frame($0) }) == [value])
  }

  /// A Multiple Handle Value Notification, of whose frames the second begins with the attribute handle 10: just what the
  /// SDU length of it would be.
  @Test func `an attribute handle that is the frame's length`() {
    // Behind it would be the opcode of a Read Request, which is not so long.
    let short = "0a000a001046010203040506"
    #expect(recombine(["1500 23", .frame(short), "07080a0002000648"]) == ["23" + short + "07080a0002000648"])
    // Of a Read Response: only the next frame tells that it was none.
    let long = "0a000b001046010203040506"
    #expect(
      recombine(["1600 23", .frame(long), "0708090a0002000648", "0100 0b"])
        == [Self.another, String(long.dropFirst(4)), "23" + long + "0708090a0002000648", "0b"])
    // Where a frame is missing indeed, the next begins another.
    #expect(
      recombine(["1600 23", .frame(long), "0400 1b100016", "0100 0b"])
        == [Self.another, String(long.dropFirst(4)), "1b100016", "0b"])
  }

  /// In such a list, a value has its length before it as an SDU has.
  @Test func `the last value of a list is no SDU, though a frame may be missing`() {
    #expect(recombine([.doubt, "0d00 230300020006460300", "0200 064b"]) == ["23030002000646030002" + "00064b"])
    #expect(
      recombine([.doubt, "1000 230300020006460300", "0500 0b48000102"]) == ["230300020006460300" + "05000b48000102"])
    // In frames that end with it, too.
    #expect(
      recombine(["1300 230300", "020006480300", "0800163f3e", "01020304", "05", "0100 0b"])
        == ["230300" + "020006480300" + "0800163f3e" + "0102030405", "0b"])
    // No list: the rest of it may be what is missing.
    #expect(recombine([.doubt, "0f00 1b03000200064603", "0500 0b48000102"]) == [Self.another, "0b48000102"])
  }

  @Test func `where a frame may be missing, a length alone begins an SDU that goes on as one`() {
    #expect(recombine([.doubt, "0800", "1b03000f2901a460", "0100 0b"]) == ["1b03000f2901a460", "0b"])
    // It was the rest of one: no opcode follows, or another SDU.
    #expect(recombine([.doubt, "0800", "ff03000f2901a460", "0100 0b"]) == ["0b"])
    #expect(recombine([.doubt, "0700", "0400 1b100016"]) == ["1b100016"])
    #expect(recombine([.doubt, "0800", "0d00 1b10001648", "0102030405060708"]) == ["1b100016480102030405060708"])
  }

  @Test func `a frame that is too long for what seemed to begin continues the SDU before`() {
    #expect(
      recombine(["1700 1b10001648", .doubt, "0900 1b02080209", "01020304050607", "08090a0b", "0100 0b"])
        == ["1b10001648" + "09001b02080209" + "01020304050607" + "08090a0b", "0b"])
  }

  /// The last of three frames comes where the second should, and the first of the next SDU is as long as what is left.
  @Test func `behind a short frame that is not the last, what looks like a beginning is one`() {
    #expect(
      recombine(["0e00 1b10001648", "0102", "0e00 1b10001649", "08090a0b0c0d0e", "0f10"])
        == [Self.another, "1b10001649" + "08090a0b0c0d0e" + "0f10"])
  }

  /// RR intervals of 32 and 539 units read as a length of 32 and a notification.
  @Test func `values that look like a beginning do not end an SDU whose own end comes`() {
    #expect(
      recombine(["1000 1b10001648", .doubt, "2000 1b02080209", "021d021e", "0100 0b"])
        == ["1b10001648" + "20001b02080209" + "021d021e", "0b"])
    // Two frames that look so.
    #expect(
      recombine(["1700 1b10001648", .doubt, "2000 1b02080209", "2000 1b02080209", "021d021e", "0100 0b"])
        == ["1b10001648" + "20001b02080209" + "20001b02080209" + "021d021e", "0b"])
  }

  @Test func `an SDU whose end does not come is told when another is whole`() {
    #expect(
      recombine(["1000 1b10001648", .doubt, "0e00 1b20001649", "01020304050607", "0809", "0100 0b"])
        == [Self.another, "1b20001649" + "01020304050607" + "0809", "0b"])
    // The end fits both.
    #expect(
      recombine(["1000 1b10001648", .doubt, "0900 1b20001649", "01020304", "0100 0b"])
        == [Self.another, "1b2000164901020304", "0b"])
  }

  /// Whatever its end would fit: a sensor that notifies a value of three frames again and again.
  @Test func `an SDU that begins as the unfinished one did begins`() {
    let end = ["01020304", "05060708090a0b", "0c0d0e0f", "0100 0b"]
    for beginning in ["1400 1b10001649", "1000 1b20001649"] {
      let output = recombine(["1000 1b10001648", .doubt, .frame(beginning)] + end.map { .frame($0) })
      #expect(output.first == Self.another)
      #expect(!output.contains { $0.hasPrefix("1b10001648") })
    }
  }

  @Test func `a length that was cut away costs its frame`() {
    #expect(recombine([.frame("0400 1b100016", kept: 1), "0400 1b100017"]) == ["1b100017"])
    #expect(recombine([.frame("0a00 1b100016", kept: 0), "010203040506", "0400 1b100017"]) == ["1b100017"])
    #expect(recombine([.frame("0400 1b100016", kept: 1), .frame("0400 1b100017", kept: 2)]) == ["…4"])
    #expect(recombine(["04", .frame("00 1b100016", kept: 0), "0400 1b100017"]) == ["1b100017"])
  }
}

import CaptureFiles
import CaptureReports
import Foundation
import Octets
import Testing

@testable import CaptureReports

@Suite struct `JSON text` {
  /// As the text stands between the quotes.
  @Test(arguments: [
    ("plain", "plain"), ("", ""), (#"a"b\c/d"#, #"a\"b\\c/d"#), ("\n\t", #"\n\t"#),
    ("\r\u{0}\u{1B}", #"\u000d\u0000\u001b"#),
    ("\u{7F}\u{9B}", #"\u007f\u009b"#), ("\u{202E}", #"\u202e"#), ("\u{2028}", #"\u2028"#), ("é心😀", "é心😀"),
    ("\u{E0041}", #"\udb40\udc41"#), ("\u{FEFF}", #"\ufeff"#),
  ])
  func `is escaped`(text: String, escaped: String) throws {
    let written = json { $0.value("x", text) }
    #expect(written == "{\"x\": \"\(escaped)\"}")
    let parsed = try JSONDecoder().decode([String: String].self, from: Data(written.utf8))
    #expect(parsed["x"]?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
  }

  /// Every scalar goes through and comes back.
  @Test func `is whole`() throws {
    let scalars = (0...0x2FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    let text = String(String.UnicodeScalarView(scalars))
    let parsed = try JSONDecoder().decode([String: String].self, from: Data(json { $0.value("x", text) }.utf8))
    #expect(parsed["x"]?.unicodeScalars.elementsEqual(scalars) == true)
  }

  @Test func `of other values`() {
    #expect(json { $0.value("x", true) } == #"{"x": true}"#)
    #expect(json { $0.value("x", nil as Bool?) } == #"{"x": null}"#)
    #expect(json { $0.value("x", -5) } == #"{"x": -5}"#)
    #expect(json { $0.value("x", UInt64.max) } == #"{"x": 18446744073709551615}"#)
    #expect(json { $0.value("x", nil as Int?) } == #"{"x": null}"#)
    #expect(json { $0.value("x", nil as String?) } == #"{"x": null}"#)
    #expect(json { $0.value("x", hex: [0x00, 0xAB, 0x0F] as [UInt8]) } == #"{"x": "00ab0f"}"#)
    #expect(json { $0.value("x", hex: [] as [UInt8]) } == #"{"x": ""}"#)
    #expect(json { $0.value("x", Timestamp(microseconds: 1)) } == #"{"x": "1970-01-01T00:00:00.000001Z"}"#)
    // Of a capture without times.
    #expect(json { $0.value("x", Timestamp(microseconds: 0)) } == #"{"x": null}"#)
    #expect(json { $0.value("x", nil as Timestamp?) } == #"{"x": null}"#)
  }

  @Test func `of containers`() {
    #expect(json { _ in } == "{}")
    #expect(json { $0.array("x") { _ in } } == #"{"x": []}"#)
    let nested = json { json in
      json.array("x") { json in
        json.value(nil, 1)
        json.object { $0.value("y", "z") }
        json.array { _ in }
      }
      json.null("n")
    }
    #expect(nested == #"{"x": [1, {"y": "z"}, []], "n": null}"#)
  }

  @Test func `over several lines`() {
    let text = written { buffer in
      var json = JSONWriter(buffer)
      json.object { json in
        json.value("a", 1)
        json.object("b", inline: true) { json in
          json.value("c", 2)
          json.array("d") { $0.value(nil, "e") }
        }
        json.array("f") { _ in }
        json.array("g") { json in
          json.value(nil, 3)
          json.value(nil, 4)
        }
      }
      json.finish()
    }
    #expect(
      text == """
        {
          "a": 1,
          "b": {"c": 2, "d": ["e"]},
          "f": [],
          "g": [
            3,
            4
          ]
        }

        """)
  }

  @Test func `a line an object`() {
    let text = written { buffer in
      var json = JSONWriter(buffer)
      for number in 1...3 { json.line { $0.value("n", number) } }
      json.flush()
    }
    #expect(text == "{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n")
  }
}

@Suite struct `The buffer of a report` {
  @Test func `hands on nothing before it is full`() {
    var pieces: [Int] = []
    var buffer = ReportBuffer(limit: 10) { pieces.append($0.count) }
    buffer.write("123456789")
    buffer.flushIfFull()
    #expect(pieces == [])
    buffer.write("0")
    buffer.flushIfFull()
    #expect(pieces == [10])
    buffer.flush()
    #expect(pieces == [10])
    buffer.write("é")
    buffer.flush()
    #expect(pieces == [10, 2])
  }

  /// A report of any length takes little memory: it comes out in pieces.
  @Test func `hands a long report on in pieces`() {
    var largest = 0
    var all = 0
    let buffer = ReportBuffer { octets in
      largest = max(largest, octets.count)
      all += octets.count
    }
    var json = JSONWriter(buffer)
    json.array { json in
      for number in 0..<100_000 { json.object(inline: true) { $0.value("n", number) } }
    }
    json.finish()
    #expect(all > 1_000_000 && largest < 70_000)
  }

  @Test func `writes texts of all lengths`() {
    for length in 0...70 {
      let text = String("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-+*/#()=".prefix(length))
      #expect(buffered { $0.write(text) } == text)
    }
  }

  @Test func `writes digits`() {
    #expect(buffered { $0.write(7, digits: 2) } == "07")
    #expect(buffered { $0.write(123, digits: 2) } == "123")
    #expect(buffered { $0.write(0, digits: 6) } == "000000")
    #expect(buffered { $0.writeHex([0, 255, 16] as [UInt8]) } == "00ff10")
  }

  @Test func `writes any number`() {
    var powers: [UInt64] = [1]
    while powers.count < 20 { powers.append(powers[powers.count - 1] * 10) }
    for number in powers.flatMap({ [$0 - 1, $0, $0 + 1] }) + (0...12_000) + [.max] {
      #expect(buffered { $0.write(number) } == "\(number)")
    }
    #expect(buffered { $0.write(Int.min) } == "-9223372036854775808")
    for number in 0...99 {
      #expect(buffered { $0.write(number, pairs: 1, ":") } == (number < 10 ? "0\(number):" : "\(number):"))
    }
  }

  @Test(arguments: [(0, 40), (39, 40), (40, 40), (80, 80), (240, 240), (241, 240), (.max, 240), (-1, 40)])
  func `keeps its width sensible`(asked: Int, given: Int) {
    #expect(ReportContext(width: asked, version: "1").width == given)
  }
}

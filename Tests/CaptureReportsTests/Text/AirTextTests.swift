import TestSupport
import Testing

@testable import CaptureAnalysis
@testable import CaptureReports

@Suite struct `Text from the air` {
  @Test(arguments: [
    ("Polar H7 2C5A1D17", "Polar H7 2C5A1D17"), ("", ""), ("Cœur é ñ", "Cœur é ñ"), ("心拍計 ❤", "心拍計 ❤"),
    ("a\u{1B}[31mb", #"a\u{1B}[31mb"#), ("\u{0}", #"\u{0}"#), ("\r\n\t", #"\u{D}\u{A}\u{9}"#), ("\u{7F}", #"\u{7F}"#),
    ("\u{9B}31m", #"\u{9B}31m"#), ("\u{202E}abc\u{202C}", #"\u{202E}abc\u{202C}"#),
    ("\u{2066}\u{2069}", #"\u{2066}\u{2069}"#),
    ("\u{200B}\u{200F}\u{061C}", #"\u{200B}\u{200F}\u{61C}"#), ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
    ("\u{FEFF}\u{FFF9}", #"\u{FEFF}\u{FFF9}"#), ("\u{E0041}", #"\u{E0041}"#), ("\u{FFFD}", "\u{FFFD}"),
    ("e\u{301}", "e\u{301}"), ("a\u{AD}\u{34F}b", #"a\u{AD}\u{34F}b"#), ("\u{115F}\u{1160}", #"\u{115F}\u{1160}"#),
    ("\u{3164}\u{FFA0}", #"\u{3164}\u{FFA0}"#), ("\u{17B4}\u{17B5}", #"\u{17B4}\u{17B5}"#), ("❤\u{FE0F}", "❤\u{FE0F}"),
  ])
  func `is shown, not obeyed`(text: String, shown: String) {
    #expect(AirText.shown(text) == shown)
  }

  @Test func `is cut where it is long`() {
    #expect(AirText.shown(String(repeating: "a", count: 64)) == String(repeating: "a", count: 64))
    #expect(AirText.shown(String(repeating: "a", count: 65)) == String(repeating: "a", count: 64) + "…")
    #expect(AirText.shown("abcdef", limit: 3) == "abc…")
    #expect(AirText.shown("\u{1B}\u{1B}\u{1B}", limit: 2) == #"\u{1B}\u{1B}…"#)
  }

  /// No scalar that a terminal obeys is shown, whatever it is.
  @Test func `has no control characters`() {
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isControl = [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      let turnsText = scalar.properties.isBidiControl
      let cannotBeSeen = scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
      if isControl || turnsText || cannotBeSeen, AirText.isShown(scalar) {
        Issue.record("U+\(String(value, radix: 16)) is shown")
      }
    }
  }
}

@Suite struct `A name in evidence` {
  /// A device that calls itself a sensor sends what may be heart rates, and nothing tells what it is.
  @Test func `is shown, not obeyed`() throws {
    var host = HostSide()
    // Connectable advertising of C5:44:33:22:11:01 with its name.
    let name = Array("Polar H\u{1B}[2J\u{1}".utf8)
    host.leEvent(
      0x02,
      [1, 0, 1] + HostSide.address(1) + [UInt8(name.count + 2), UInt8(name.count + 1), 0x09] + name + [0xC4])
    host.connected()
    for second in 0..<20 as Range<UInt8> {
      host.notified(attribute: 40, [0, 70 + second % 3])
      host.wait(milliseconds: 990)
    }
    let text = Reporting.analysis([try Reporting.summary("name", host.file())])
    #expect(text.contains("perhaps heart rates"))
    #expect(text.contains(#"its name, Polar H\u{1B}[2J\u{1}, is"#))
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
  }
}

@Suite struct `Width on a terminal` {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("心拍計", 6), ("한국", 4), ("Ａ", 2), ("😀", 2), ("❤\u{FE0F}", 1),
    ("⌚⏰☔♈⚡⛔✅❌➕⬛⭐", 22), ("🚴🛒🟠🥇🫀", 10), ("✏☎🌡", 3), ("🇩🇪", 2), ("〈x〉", 5), ("🈁𠀀", 4),
    ("и\u{483}", 1), ("שָׁ", 1), ("عَرَبِيّ", 4), ("\u{600}1", 2), ("हिन्दी", 5), ("ก็ดี", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
    ("▁▂█", 3), ("→ ● ○ –", 7), ("\u{1B}[31mred\u{1B}[0m", 3), ("\u{1B}[1m\u{1B}[36m\u{1B}[0m", 0),
  ])
  func `columns`(text: String, columns: Int) {
    #expect(DisplayWidth.columns(text) == columns)
  }

  @Test func `padding`() {
    #expect(TextLayout.padded("ab", 4) == "ab  ")
    #expect(TextLayout.padded("ab", 4, alignedRight: true) == "  ab")
    #expect(TextLayout.padded("心", 4) == "心  ")
    #expect(TextLayout.padded("abcdef", 4) == "abcdef")
    #expect(TextLayout.padded("\u{1B}[1mab\u{1B}[0m", 4) == "\u{1B}[1mab\u{1B}[0m  ")
  }
}

@Suite struct `Lines of pieces` {
  @Test func `side by side`() {
    #expect(TextLayout.flow(["a", "b", "c"], indent: 2, width: 20) == "  a   b   c\n")
  }

  @Test func `as far as the width goes`() {
    #expect(TextLayout.flow(["aaa", "bbb", "ccc"], indent: 0, width: 9) == "aaa   bbb\nccc\n")
    #expect(TextLayout.flow(["aaa", "bbb", "ccc"], indent: 0, width: 8) == "aaa\nbbb\nccc\n")
    #expect(TextLayout.flow(["aaa", "bbb"], indent: 1, width: 8, hanging: 4) == " aaa\n    bbb\n")
  }

  @Test func `without the empty ones`() {
    #expect(TextLayout.flow(["", "a", "", "b", ""], indent: 0, width: 20) == "a   b\n")
    #expect(TextLayout.flow([], indent: 4, width: 20) == "")
    #expect(TextLayout.flow(["", ""], indent: 4, width: 20) == "")
  }

  @Test func `by what is seen of them`() {
    #expect(TextLayout.flow(["\u{1B}[1maaa\u{1B}[0m", "bbb"], indent: 0, width: 9) == "\u{1B}[1maaa\u{1B}[0m   bbb\n")
    #expect(TextLayout.flow(["心心", "bbb"], indent: 0, width: 9) == "心心\nbbb\n")
  }

  @Test func `a piece that is too long stands alone`() {
    #expect(TextLayout.flow(["a", "123456789012", "b"], indent: 2, width: 10) == "  a\n  123456789012\n  b\n")
  }

  @Test func `sentences`() {
    #expect(TextLayout.sentence("one two three", indent: 2, width: 9) == "  one two\n  three\n")
    #expect(TextLayout.sentence("one two three", indent: 0, width: 13) == "one two three\n")
    #expect(TextLayout.sentence("incomprehensible words", indent: 1, width: 8) == " incomprehensible\n words\n")
  }

  @Test func `what goes on at a column`() {
    func continued(_ text: String) -> String { TextLayout.continued(text, at: 6, margin: 2, width: 12) }
    #expect(continued("one") == "one" && continued("") == "")
    #expect(continued("one two") == "one\n  two")
    #expect(continued("a  b c d e f") == "a  b c\n  d e f")
    #expect(continued("sevenoc two") == "\n  sevenoc\n  two")
    #expect(continued("incomprehensible words") == "\n  incomprehensible\n  words")
    // A line begins with a word, and ends with one.
    #expect(continued("one   two") == "one\n  two")
  }

  @Test func `a name without a space is broken where the line ends`() {
    func continued(_ text: String) -> String { TextLayout.continued(text, at: 6, margin: 4, width: 24) }
    let name = String(repeating: "x", count: 50)
    #expect(continued("a \(name), b") == "a\n    \(name.prefix(20))\n    \(name.prefix(20))\n    \(name.prefix(10)), b")
    #expect(continued(String(repeating: "心", count: 11)) == "\n    心心心心心心心心心心\n    心")
    let path = "/" + name
    #expect(continued(path) == "\n    \(path)")
    // Colours take no room.
    #expect(
      continued("\u{1B}[1m\(name)\u{1B}[0m")
        == "\n    \u{1B}[1m\(name.prefix(20))\n    \(name.prefix(20))\n    \(name.prefix(10))\u{1B}[0m")
  }
}

@Suite struct `Sparklines` {
  @Test func `from least to most`() {
    #expect(Sparkline.line([0, 1, 2, 3, 4, 5, 6, 7], least: 0, most: 7) == "▁▂▃▄▅▆▇█")
    #expect(Sparkline.line([60, 80], least: 60, most: 80) == "▁█")
    #expect(Sparkline.line([80, 60, 70], least: 60, most: 80) == "█▁▅")
  }

  @Test func `spaces where nothing was measured`() {
    #expect(Sparkline.line([60, nil, nil, 80], least: 60, most: 80) == "▁  █")
    #expect(Sparkline.line([nil], least: 0, most: 0) == " ")
    #expect(Sparkline.line([], least: 0, most: 0) == "")
  }

  @Test func `a steady heart is a level line`() {
    #expect(Sparkline.line([72, 72, 72], least: 72, most: 72) == "▄▄▄")
  }

  @Test func `never beyond its ends`() {
    #expect(Sparkline.line([-100, 1000], least: 60, most: 80) == "▁█")
  }
}

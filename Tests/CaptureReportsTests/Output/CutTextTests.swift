import Testing

@testable import CaptureReports

/// As much of a text as there are columns for.
@Suite struct `Text that is cut` {
  @Test(arguments: [
    ("Polar H7", 8, "Polar H7", "Polar H7"), ("Polar H7", 7, "Polar …", "…lar H7"), ("Polar H7", 1, "", "…"),
    ("Polar H7", 0, "", "…"), ("", 0, "", ""),
    // Wide characters take two columns, marks none.
    ("心拍数計測", 6, "心拍…", "…計測"), ("心拍数計測", 5, "心拍…", "…計測"),
    ("e\u{301}te\u{301}s", 4, "e\u{301}te\u{301}s", "e\u{301}te\u{301}s"),
    ("e\u{301}te\u{301}s", 3, "e\u{301}t…", "…e\u{301}s"),
  ])
  func `keeps its beginning or its end`(text: String, width: Int, beginning: String, ending: String) {
    #expect(TextLayout.beginning(of: text, width: width) == beginning)
    #expect(TextLayout.ending(of: text, width: width) == ending)
  }

  /// Of thousands of sensors, all the names are one text: measured anew for each character, this one would take hours.
  @Test func `is measured once`() {
    let names = Array(repeating: "Pülsé", count: 50_000).joined(separator: ", ")
    #expect(TextLayout.beginning(of: names, width: 9) == "Pülsé, P…")
    #expect(TextLayout.ending(of: names, width: 9) == "…é, Pülsé")
  }
}

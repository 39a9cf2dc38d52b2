/// Whether a report for people may be shown on a terminal: UTF-8, and nothing that a terminal obeys but the colours that
/// the report itself sets.
public enum TextChecker {
  /// What is wrong with a text; nil if nothing is.
  public static func problem(_ text: Span<UInt8>, allowsColors: Bool) -> String? {
    guard UTF8Checker.isValid(text) else { return "the text is not UTF-8" }
    var index = 0
    while index < text.count {
      let octet = text[index]
      index += 1
      if octet == 0x1B, allowsColors {
        guard let end = endOfColor(text, index) else { return "an escape that is no colour, at octet \(index - 1)" }
        index = end
      } else if octet < 0x20 && octet != 0x0A || octet == 0x7F {
        return "control character \(octet) at octet \(index - 1)"
      } else if octet == 0xC2, index < text.count, text[index] < 0xA0 {
        return "a C1 control character at octet \(index - 1)"
      }
    }
    return nil
  }

  /// The index behind `[digits m`.
  private static func endOfColor(_ text: Span<UInt8>, _ start: Int) -> Int? {
    guard start < text.count, text[start] == UInt8(ascii: "[") else { return nil }
    var index = start + 1
    while index < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) { index += 1 }
    return index < text.count && text[index] == UInt8(ascii: "m") ? index + 1 : nil
  }
}

extension String {
  /// Whether another text begins with this one, as far as that is there: the capture, or the room in a response, may end
  /// amid a character, which was repaired.
  func isBeginning(of other: String) -> Bool {
    var whole = utf8[...]
    while whole.suffix(3).elementsEqual("\u{FFFD}".utf8) { whole.removeLast(3) }
    return other.utf8.starts(with: whole)
  }

  /// The same; nil where nothing but blanks and NULs is in it: a device that sends that as its name has none.
  var unlessBlank: String? { allSatisfy { $0.isWhitespace || $0 == "\0" } ? nil : self }
}

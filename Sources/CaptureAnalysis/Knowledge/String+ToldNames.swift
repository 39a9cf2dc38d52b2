extension String {
  /// Whether another text begins with this one, as far as that is there: the capture, or the room in a response, may end
  /// amid a character, which was repaired.
  func isBeginning(of other: String) -> Bool {
    var whole = utf8[...]
    while whole.suffix(3).elementsEqual("\u{FFFD}".utf8) { whole.removeLast(3) }
    return other.utf8.starts(with: whole)
  }

  /// At the least ATT_MTU, a response holds so many octets of a value that is read by its type, and a few more of one that
  /// is read by its handle: of a longer one, it is the beginning. Core 6.0, Vol 3, Part F, 3.4.4.2.
  private static let leastCutName = 19

  /// Whether it seems to be all that a response had room for of a name that is known already, as it is where that was
  /// advertised.
  func seemsCut(from name: String?) -> Bool {
    guard let name, utf8.count >= Self.leastCutName, self != name else { return false }
    return isBeginning(of: name)
  }

  /// It; nil where nothing but blanks and NULs is in it: a device that sends that as its name has none.
  var unlessBlank: String? { allSatisfy { $0.isWhitespace || $0 == "\0" } ? nil : self }
}

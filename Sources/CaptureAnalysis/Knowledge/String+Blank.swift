extension String {
  /// The same; nil where nothing but blanks and NULs is in it: a device that sends that as its name has none.
  var unlessBlank: String? { allSatisfy { $0.isWhitespace || $0 == "\0" } ? nil : self }
}

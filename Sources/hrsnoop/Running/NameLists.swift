extension [String] {
  /// The names in lists as options take them: with commas between them, and perhaps a space behind those.
  func names(omittingEmpty: Bool = true) -> [String] {
    flatMap { $0.split(separator: ",", omittingEmptySubsequences: omittingEmpty) }.map { String($0.drop { $0 == " " }) }
  }
}

extension RangeReplaceableCollection {
  /// Appends something; where that makes too many, what is least grave goes, and of that what came first.
  /// - Parameters:
  ///   - element: What is appended.
  ///   - most: How many may stay.
  ///   - severity: How grave each is.
  /// - Returns: Whether any had to go.
  @discardableResult
  package mutating func append(
    _ element: Element, keepingGravest most: Int, by severity: (Element) -> Severity
  ) -> Bool {
    append(element)
    guard count > most, let least = map(severity).min(), let place = firstIndex(where: { severity($0) == least }) else {
      return false
    }
    remove(at: place)
    return true
  }
}

extension Array {
  /// The first place from which on something holds, as it does for all behind it; the end if it holds nowhere. It is found
  /// by halves.
  func firstPlace(where holds: (Element) -> Bool) -> Int {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = holds(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}

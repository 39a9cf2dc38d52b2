extension String {
  /// UTF-8 as devices send it: NULs at the end are dropped, octets that are no UTF-8 become U+FFFD.
  init(repairing octets: Span<UInt8>) {
    var end = octets.count
    while end > 0, octets[end - 1] == 0 { end -= 1 }
    var text: ContiguousArray<UInt8> = []
    text.reserveCapacity(end)
    for index in 0..<end { text.append(octets[index]) }
    self.init(decoding: text, as: UTF8.self)
  }

  /// The same without NULs at its end.
  var withoutEndMark: String {
    var scalars = unicodeScalars
    while scalars.last == "\0" { scalars.removeLast() }
    return String(scalars)
  }
}

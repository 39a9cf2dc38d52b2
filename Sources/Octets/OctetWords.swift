extension BinaryInteger {
  /// So many octets in words: "1 octet", "4 octets".
  package var octetWords: String { self == 1 ? "1 octet" : "\(self) octets" }
}

extension BinaryInteger {
  /// So many octets in words: "1 octet", "4 octets".
  package var octetWords: String { words("octet") }

  /// So many of something in words: "1 packet", "4 packets".
  package func words(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}

/// Where a block stands.
struct BlockPlace {
  /// Its first octet, from the start of the file.
  let offset: Int
  /// The number of the record in it, if it holds one.
  let record: Int
  /// Whether octets before it could not be read.
  let followsDamage: Bool
}

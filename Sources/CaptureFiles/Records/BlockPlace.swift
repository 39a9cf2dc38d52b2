/// Where a block stands.
@usableFromInline struct BlockPlace {
  /// Where the octets at hand begin in the file.
  @usableFromInline let start: Int
  /// The block's first octet among those.
  @usableFromInline var index: Int
  /// The number of the record in it, if it holds one.
  @usableFromInline var record: Int
  /// What stands between it and the record before.
  @usableFromInline var breaks: CaptureRecord.Breaks

  @inlinable init(start: Int, index: Int, record: Int, breaks: CaptureRecord.Breaks = []) {
    self.start = start
    self.index = index
    self.record = record
    self.breaks = breaks
  }

  /// The block's first octet, from the start of the file.
  @inlinable var offset: Int { start &+ index }

  /// Goes on behind a record.
  @inlinable mutating func advance(to index: Int) {
    self.index = index
    record &+= 1
    breaks = []
  }
}

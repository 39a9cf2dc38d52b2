import Octets

// How blocks are found one after another, in any format. A block is believed when the one behind it looks like a block
// too; where it does not, one of the two is damaged, and a search from the first octet of this one's content tells
// which: if blocks go on before this one was to end, or exactly where its unshortened packet would, its length was
// wrong and is put right; otherwise the next one is passed over, octet by octet, until blocks go on.

extension CaptureFormat {
  @_lifetime(reader: copy reader)
  mutating func readRecords(
    _ reader: inout OctetReader, _ progress: inout CaptureProgress, isLast: Bool, _ body: (CaptureRecord) -> Void
  ) {
    while true {
      if progress.passingOver > 0 {
        progress.passingOver -= reader.skip(upTo: progress.passingOver)
        if progress.passingOver > 0 { return }
      }
      if progress.isSearching {
        guard search(&reader, &progress, isLast: isLast) else { return }
      }
      if reader.isAtEnd { return }
      let here: BlockExtent
      do {
        here = try extent(reader)
      } catch {
        progress.noteDamage(error)
        continue
      }
      switch here {
      case .unknown:
        if isLast { progress.noteCutOff(&reader, needs: headerLength) }
        return
      case .passOver(let octets, let isRecord):
        if isRecord { progress.records += 1 }
        progress.passingOver = octets
      case .octets(let length):
        guard let length = settledLength(length, reader, progress, isLast: isLast) else {
          if isLast { progress.noteCutOff(&reader, needs: length) }
          return
        }
        let start = reader.offset
        if var record = record(reader.prefix(length), at: start) {
          progress.records &+= 1
          record.number = progress.records
          if progress.isBehindDamage {
            record.followsDamage = true
            progress.isBehindDamage = false
          }
          body(record)
        }
      }
    }
  }

  /// The length of the block at `reader` after a look at what follows it, or nil if it is not all there.
  private func settledLength(
    _ length: Int, _ reader: OctetReader, _ progress: CaptureProgress, isLast: Bool
  ) -> Int? {
    guard length <= reader.count else {
      // At the end of the input, a damaged length may hide whole records.
      return isLast ? nextStart(reader, claimed: length) : nil
    }
    var next = reader
    next.skip(upTo: length)
    let mayWait = !isLast && !progress.isLive
    do {
      if case .unknown = try extent(next), mayWait { return nil }
      return length
    } catch {
      if mayWait, reader.count < CaptureReader.longestRecord { return nil }
      return nextStart(reader, claimed: length) ?? repaired(length, reader) ?? length
    }
  }

  /// Where blocks go on within the block at `reader`, if its length is wrong.
  private func nextStart(_ reader: OctetReader, claimed: Int) -> Int? {
    var place = headerLength
    let end = min(claimed, reader.count)
    while place < end {
      if isFollowedByBlocks(reader, at: place) { return place }
      place += 1
    }
    return nil
  }

  /// The length that the block would have if the capture had kept all of it, if blocks go on right there.
  private func repaired(_ length: Int, _ reader: OctetReader) -> Int? {
    var block = reader
    guard let whole = uncutLength(block.prefix(length)), whole > length, whole < reader.count,
      isFollowedByBlocks(reader, at: whole)
    else { return nil }
    return whole
  }

  /// Whether enough blocks in a row stand at `place` octets from here. Where the octets end, fewer will do: one that
  /// ends exactly there, or one that is whole and another that is cut off.
  private func isFollowedByBlocks(_ reader: OctetReader, at place: Int) -> Bool {
    var next = reader
    next.skip(upTo: place)
    var found = 0
    while found < confirmations {
      if next.isAtEnd { return found > 0 }
      guard let extent = try? extent(next) else { return false }
      switch extent {
      case .unknown, .passOver: return found > 0
      case .octets(let length):
        found += 1
        guard length <= next.count else { return found > 1 }
        next.skip(upTo: length)
      }
    }
    return true
  }

  /// Looks for the place where blocks go on, and passes over what lies before it.
  @_lifetime(reader: copy reader)
  private func search(_ reader: inout OctetReader, _ progress: inout CaptureProgress, isLast: Bool) -> Bool {
    let start = reader.offset
    defer { progress.noteSkipped(reader.offset - start) }
    while !reader.isAtEnd {
      // Near the end of a buffer that is not the last, wait for more to judge by.
      if !isLast, reader.count < CaptureReader.longestRecord { return false }
      if isFollowedByBlocks(reader, at: 0) {
        progress.isSearching = false
        return true
      }
      reader.skip(upTo: 1)
    }
    return false
  }
}

extension CaptureProgress {
  mutating func noteDamage(_ error: ParsingError) {
    isSearching = true
    isBehindDamage = true
    damageCount += 1
    if damages.count < Self.keptDamages {
      damages.append(Damage(error: error, record: records + 1, skippedOctets: 0))
    }
  }

  mutating func noteSkipped(_ count: Int) {
    skippedOctets += count
    if count > 0, damageCount == damages.count { damages[damages.count - 1].skippedOctets += count }
  }

  /// The input ends inside a record.
  @_lifetime(reader: copy reader)
  mutating func noteCutOff(_ reader: inout OctetReader, needs needed: Int) {
    cutOff = ParsingError(
      layer: "capture", field: "Record \(records + 1)",
      problem: .tooShort(needed: needed, available: reader.count), offset: reader.offset)
    reader.skip(upTo: reader.count)
  }
}

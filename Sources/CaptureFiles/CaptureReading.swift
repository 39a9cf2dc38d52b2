import Octets

// How blocks are found one after another, in any format. A block is believed when the one behind it looks like a block
// too; where it does not, one of the two is damaged, and a search from the first octet of this one's content tells
// which: if blocks go on before this one was to end, or exactly where its unshortened packet would, its length was
// wrong and is put right; otherwise the next one is passed over, octet by octet, until blocks go on.

extension CaptureFormat {
  mutating func readRecords(
    _ octets: Span<UInt8>, _ progress: inout CaptureProgress, isLast: Bool, _ body: (CaptureRecord) -> Void
  ) -> Int {
    var index = 0
    // How far the block at the index reaches, where a look ahead has told already.
    var known: BlockExtent?
    while true {
      if progress.isHeldUp {
        guard goOn(octets, &index, &progress, isLast: isLast) else { return index }
        known = nil
      }
      if index == octets.count { return index }
      let here: BlockExtent
      do {
        if let known { here = known } else { here = try extent(octets, at: index) }
      } catch {
        progress.noteDamage(error)
        continue
      }
      switch here {
      case .unknown:
        return isLast ? progress.noteCutOff(octets, index, needs: headerLength) : index
      case .passOver(let length, let isRecord):
        if isRecord { progress.records &+= 1 }
        progress.passingOver = length
      case .octets(let claimed):
        guard let length = settledLength(claimed, octets, index, isLast: isLast, isLive: progress.isLive, next: &known)
        else { return isLast ? progress.noteCutOff(octets, index, needs: claimed) : index }
        let end = index &+ length
        if var record = record(octets.extracting(index..<end), at: progress.consumedOctets &+ index) {
          progress.records &+= 1
          record.number = progress.records
          record.followsDamage = progress.isBehindDamage
          progress.isBehindDamage = false
          body(record)
        } else {
          // A file header may change what the next block looks like.
          known = nil
        }
        index = end
      }
    }
  }

  /// Passes over what is not wanted or not readable.
  /// - Returns: Whether a block may begin here.
  @inline(never)
  private func goOn(
    _ octets: Span<UInt8>, _ index: inout Int, _ progress: inout CaptureProgress, isLast: Bool
  ) -> Bool {
    if progress.passingOver > 0 {
      let step = min(progress.passingOver, octets.count - index)
      progress.passingOver -= step
      index += step
      if progress.passingOver > 0 { return false }
    }
    return !progress.isSearching || search(octets, &index, &progress, isLast: isLast)
  }

  /// The length of the block at the index after a look at what follows it, or nil if it is not all there.
  /// - Parameter next: What was found out of the block that follows.
  @inline(__always)
  private func settledLength(
    _ length: Int, _ octets: Span<UInt8>, _ index: Int, isLast: Bool, isLive: Bool, next: inout BlockExtent?
  ) -> Int? {
    if length <= octets.count &- index, let extent = try? extent(octets, at: index &+ length) {
      if case .unknown = extent {
        next = nil
        return isLast || isLive ? length : nil
      }
      next = extent
      return length
    }
    next = nil
    return repairedLength(length, octets, index, isLast: isLast, isLive: isLive)
  }

  /// The length of a block that is followed by none, or by the end of the input.
  @inline(never)
  private func repairedLength(
    _ length: Int, _ octets: Span<UInt8>, _ index: Int, isLast: Bool, isLive: Bool
  ) -> Int? {
    let left = octets.count - index
    // At the end of the input, a damaged length may hide whole records.
    if length > left { return isLast ? nextStart(octets, index, claimed: length) : nil }
    if !isLast, !isLive, left < CaptureReader.longestRecord { return nil }
    return nextStart(octets, index, claimed: length) ?? uncutLength(length, octets, index) ?? length
  }

  /// Where blocks go on within the block at the index, if its length is wrong.
  private func nextStart(_ octets: Span<UInt8>, _ index: Int, claimed: Int) -> Int? {
    var length = headerLength
    let longest = min(claimed, octets.count - index)
    while length < longest {
      if areBlocks(octets, at: index + length) { return length }
      length += 1
    }
    return nil
  }

  /// The length that the block would have if the capture had kept all of it, if blocks go on right there.
  private func uncutLength(_ length: Int, _ octets: Span<UInt8>, _ index: Int) -> Int? {
    guard let whole = uncutLength(octets.extracting(index..<(index + length))), whole > length,
      whole < octets.count - index, areBlocks(octets, at: index + whole)
    else { return nil }
    return whole
  }

  /// Whether enough blocks in a row stand at an index. Where the octets end, fewer will do: one that ends exactly
  /// there, or one that is whole and another that is cut off.
  private func areBlocks(_ octets: Span<UInt8>, at index: Int) -> Bool {
    var place = index
    var found = 0
    while found < confirmations {
      if place == octets.count { return found > 0 }
      guard let extent = try? extent(octets, at: place) else { return false }
      switch extent {
      case .unknown, .passOver: return found > 0
      case .octets(let length):
        found += 1
        guard length <= octets.count - place else { return found > 1 }
        place += length
      }
    }
    return true
  }

  /// Looks for the place where blocks go on, and passes over what lies before it.
  private func search(
    _ octets: Span<UInt8>, _ index: inout Int, _ progress: inout CaptureProgress, isLast: Bool
  ) -> Bool {
    let start = index
    defer { progress.noteSkipped(index - start) }
    while index < octets.count {
      // Near the end of a buffer that is not the last, wait for more to judge by.
      if !isLast, octets.count - index < CaptureReader.longestRecord { return false }
      if areBlocks(octets, at: index) {
        progress.isSearching = false
        return true
      }
      index += 1
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
      var error = error
      error.offset += consumedOctets
      damages.append(Damage(error: error, record: records + 1, skippedOctets: 0))
    }
  }

  mutating func noteSkipped(_ count: Int) {
    skippedOctets += count
    if count > 0, damageCount == damages.count { damages[damages.count - 1].skippedOctets += count }
  }

  /// The input ends inside a record.
  /// - Returns: The end of the octets.
  mutating func noteCutOff(_ octets: Span<UInt8>, _ index: Int, needs needed: Int) -> Int {
    cutOff = ParsingError(
      layer: "capture", field: "Record \(records + 1)",
      problem: .tooShort(needed: needed, available: octets.count - index), offset: consumedOctets + index)
    return octets.count
  }
}

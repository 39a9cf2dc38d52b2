import Octets

// How blocks are found one after another, in any format. A block is believed when the one behind it looks like a block
// too; what is done where it does not is in DamageRecovery.swift.

extension CaptureFormat {
  mutating func readRecords(
    _ octets: Span<UInt8>, _ progress: inout CaptureProgress, isLast: Bool,
    _ body: (CaptureRecord, Span<UInt8>) -> Void
  ) -> Int {
    var index = 0
    // How far the block at the index reaches, where a look ahead has told already.
    var known: BlockExtent?
    while true {
      if progress.isHeldUp {
        guard goOn(octets, &index, &progress, isLast: isLast) else { return index }
        known = nil
      }
      if readRun(octets, &index, &progress, body) { known = nil }
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
        guard let isDamaged = hidesBlocks(length, octets, index, isLast: isLast) else { return index }
        if isDamaged {
          progress.noteDamage(.length(length, at: index))
          skip(1, &index, &progress)
        } else {
          if isRecord { progress.records &+= 1 }
          progress.passingOver = length
        }
      case .octets(let claimed):
        guard let length = settledLength(claimed, octets, index, isLast: isLast, isLive: progress.isLive, next: &known)
        else { return isLast ? progress.noteCutOff(octets, index, needs: claimed) : index }
        guard length >= headerLength || isFileHeader(octets, at: index) else {
          // Blocks go on before this one's header was to end: it is none.
          progress.noteDamage(.length(claimed, at: index))
          skip(length, &index, &progress)
          continue
        }
        // A file header may change what the next block looks like.
        if !handOn(octets, index..<(index &+ length), &progress, body) { known = nil }
        index &+= length
      }
    }
  }

  private func skip(_ count: Int, _ index: inout Int, _ progress: inout CaptureProgress) {
    index += count
    progress.noteSkipped(count)
  }

  /// Reads blocks as long as there is nothing odd about them nor about the one behind: almost all there are.
  /// - Returns: Whether there were any.
  @inline(__always)
  private mutating func readRun(
    _ octets: Span<UInt8>, _ index: inout Int, _ progress: inout CaptureProgress,
    _ body: (CaptureRecord, Span<UInt8>) -> Void
  ) -> Bool {
    let start = index
    var here = usualLength(octets, at: index)
    while let length = here, length <= octets.count &- index {
      let end = index &+ length
      here = usualLength(octets, at: end)
      guard here != nil else { break }
      let isRecord = handOn(octets, index..<end, &progress, body)
      index = end
      if !isRecord { break }
    }
    return index > start
  }

  /// Hands on the record in a block.
  /// - Returns: Whether there is one.
  @inline(__always)
  private mutating func handOn(
    _ octets: Span<UInt8>, _ block: Range<Int>, _ progress: inout CaptureProgress,
    _ body: (CaptureRecord, Span<UInt8>) -> Void
  ) -> Bool {
    let place = BlockPlace(
      offset: progress.consumedOctets &+ block.lowerBound, record: progress.records &+ 1,
      followsDamage: progress.isBehindDamage)
    guard let record = record(octets.extracting(block), at: place) else { return false }
    progress.records &+= 1
    progress.isBehindDamage = false
    let start = record.offset &- progress.consumedOctets
    body(record, octets.extracting(start..<(start &+ record.length)))
    return true
  }
}

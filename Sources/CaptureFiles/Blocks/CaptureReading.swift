public import Octets

// How blocks are found one after another, in any format. A block is believed when the one behind it looks like a block
// too; what is done where it does not is in DamageRecovery.swift.
//
// Almost all blocks have nothing odd about them. The loop over those is all that may be inlined into whoever receives
// the records; each odd one is looked at apart.

extension CaptureFormat {
  @inlinable @inline(__always)
  mutating func readRecords<Receiver: RecordReceiver>(
    _ octets: Span<UInt8>, _ progress: inout CaptureProgress, isLast: Bool, into receiver: inout Receiver
  ) -> Int {
    var index = 0
    while true {
      if progress.course == .reading {
        if linkType == .h4 {
          // What phones write: a loop without questions about other link types.
          readRun(octets, &index, &progress, of: .h4, into: &receiver)
        } else {
          readOtherRun(octets, &index, &progress, into: &receiver)
        }
        if index == octets.count { return index }
      }
      switch readOddBlock(octets, &index, &progress, isLast: isLast) {
      case .record(let record, let place):
        if let block = OctetWindow(octets, at: place.index, count: index &- place.index) {
          receiver.receive(record, record.octets(in: block, at: place))
        }
      case .nothing: break
      case .end: return index
      }
    }
  }

  @inlinable @inline(never)
  mutating func readOtherRun<Receiver: RecordReceiver>(
    _ octets: Span<UInt8>, _ index: inout Int, _ progress: inout CaptureProgress, into receiver: inout Receiver
  ) {
    readRun(octets, &index, &progress, of: linkType, into: &receiver)
  }

  /// Reads blocks as long as there is nothing odd about them nor about the one behind.
  @inlinable @inline(__always)
  mutating func readRun<Receiver: RecordReceiver>(
    _ octets: Span<UInt8>, _ index: inout Int, _ progress: inout CaptureProgress, of linkType: LinkType,
    into receiver: inout Receiver
  ) {
    // What was found behind damage is looked at more closely: its header may be of the damage still.
    if !progress.breaks.isEmpty { return }
    var place = BlockPlace(start: progress.consumedOctets, index: index, record: progress.records &+ 1)
    var here = usualLength(octets, at: index)
    while let length = here, let block = OctetWindow(octets, at: place.index, count: length) {
      let end = place.index &+ length
      here = usualLength(octets, at: end)
      guard here != nil else { break }
      if let packet = usualPacket(block, at: place, of: linkType),
        receiver.take(packet, block.dropping(packet.offset &- place.offset))
      {
        place.advance(to: end)
        continue
      }
      guard let record = record(block, at: place, of: linkType) else {
        // A file header: it may change what the next block looks like.
        noteHeader(octets, &place, progress)
        place.index = end
        break
      }
      receiver.receive(record, record.octets(in: block, at: place))
      place.advance(to: end)
    }
    index = place.index
    progress.noteRun(upTo: place)
  }

  /// Reads, or passes over, the block at the index, which may be damaged or not all there.
  @usableFromInline @inline(never)
  mutating func readOddBlock(
    _ octets: Span<UInt8>, _ index: inout Int, _ progress: inout CaptureProgress, isLast: Bool
  ) -> OddBlock {
    if progress.course != .reading { return goOn(octets, &index, &progress, isLast: isLast) ? .nothing : .end }
    let here: BlockExtent
    do {
      here = try extent(octets, at: index)
    } catch {
      if let odd = readOddHeader(octets, &index, &progress, error, isLast: isLast) { return odd }
      progress.noteDamage(error)
      return .nothing
    }
    switch here {
    case .unknown:
      if isLast { index = progress.noteCutOff(octets, index, needs: headerLength) }
      return .end
    case .tooLong(let length): return readLongBlock(octets, &index, claimed: length, &progress, isLast: isLast)
    case .octets(let length): return readBlock(octets, &index, claimed: length, &progress, isLast: isLast)
    }
  }

  /// Reads a block as it claims to be, or with its length put right; or passes over what turns out to be none.
  private mutating func readBlock(
    _ octets: Span<UInt8>, _ index: inout Int, claimed: Int, _ progress: inout CaptureProgress, isLast: Bool
  ) -> OddBlock {
    guard let length = trueLength(claimed: claimed, octets, index, isLast: isLast, &progress) else {
      if isLast { index = progress.noteCutOff(octets, index, needs: claimed) }
      return .end
    }
    if let error = damage(octets, index, claimed: claimed, length: length) {
      progress.noteDamage(error)
      skip(length, &index, &progress)
      return .nothing
    }
    if length != claimed { progress.noteOddHeader(.length(claimed, at: index)) }
    return readBlock(octets, &index, length: length, &progress)
  }

  /// Reads the front of a block that may be longer than a buffer, if it is one.
  private mutating func readLongBlock(
    _ octets: Span<UInt8>, _ index: inout Int, claimed length: Int, _ progress: inout CaptureProgress, isLast: Bool
  ) -> OddBlock {
    guard let isDamaged = hidesBlocks(length, octets, index, isLast: isLast, &progress) else { return .end }
    guard isDamaged else { return readFront(octets, &index, length: length, &progress) }
    let error = ParsingError.length(length, at: index)
    if let odd = readOddHeader(octets, &index, &progress, error, isLast: isLast) { return odd }
    progress.noteDamage(error)
    skip(1, &index, &progress)
    return .nothing
  }

  /// Reads a block whose header cannot be right, though its length is: so many blocks go on behind it, or the input ends
  /// there. If all of those are odd too, that is how this capture was written.
  /// - Returns: nil if it is no such block.
  @inline(never)
  private mutating func readOddHeader(
    _ octets: Span<UInt8>, _ index: inout Int, _ progress: inout CaptureProgress, _ error: ParsingError, isLast: Bool
  ) -> OddBlock? {
    guard var reading = lenient(octets, at: index), case .octets(let length)? = try? reading.extent(octets, at: index)
    else { return nil }
    guard let isBlock = isOddBlock(octets, at: index, length: length, to: reading, isLast: isLast, &progress) else {
      return .end
    }
    guard isBlock else { return nil }
    progress.noteOddHeader(error)
    let block = reading.readBlock(octets, &index, length: length, &progress)
    self = areOdd(octets, from: index, to: reading) ? reading.lasting : strict(behind: reading)
    return block
  }

  /// Whether each of the next blocks is one to a lenient reading alone: as many as make it believe in them.
  private func areOdd(_ octets: Span<UInt8>, from index: Int, to lenient: Self) -> Bool {
    var place = index
    for _ in 1..<lenient.confirmations {
      guard (try? extent(octets, at: place)) == nil,
        case .octets(let length)? = try? lenient.extent(octets, at: place), length <= octets.count - place
      else { return false }
      place += length
    }
    return true
  }

  private mutating func readBlock(
    _ octets: Span<UInt8>, _ index: inout Int, length: Int, _ progress: inout CaptureProgress
  ) -> OddBlock {
    var place = progress.place(of: index)
    index &+= length
    guard let block = OctetWindow(octets, at: place.index, count: length) else { return .nothing }
    let isTimed = !place.breaks.contains(.damage) || !isStray(octets, at: place.index, before: index)
    guard let record = record(block, at: place, of: linkType) else {
      noteHeader(octets, &place, progress)
      progress.breaks = place.breaks
      return .nothing
    }
    var next = place
    next.advance(to: index)
    progress.noteRun(upTo: next)
    return .record(isTimed ? record : record.withoutTime, place)
  }

  /// Whether a block behind damage is of other days than those before the damage, to which those behind it belong: its time
  /// was damaged as well.
  private func isStray(_ octets: Span<UInt8>, at index: Int, before next: Int) -> Bool {
    isTimely(octets, at: index) == false && next < octets.count && isTimely(octets, at: next) == true
  }

  /// A block has held no record: if it is the header of another file, or of a section, what follows may be of another time.
  @usableFromInline @inline(never)
  func noteHeader(_ octets: Span<UInt8>, _ place: inout BlockPlace, _ progress: CaptureProgress) {
    guard place.record > 1, place.offset != progress.ownHeader,
      isFileHeader(octets, at: place.index) || reading(behindHeaderAt: place.index, in: octets) != nil
    else { return }
    place.breaks.insert(.header)
  }

  /// Reads the front of a block that may be longer than a buffer, and leaves the rest to be passed over: it is said if
  /// something that is wanted may be in it.
  private mutating func readFront(
    _ octets: Span<UInt8>, _ index: inout Int, length: Int, _ progress: inout CaptureProgress
  ) -> OddBlock {
    let place = progress.place(of: index)
    // No more than a buffer holds in any case: what is read must not depend on how much has come yet.
    let count = min(length, BlockWindow.octets, octets.count &- index)
    guard let block = OctetWindow(octets, at: index, count: count) else { return .end }
    let front = front(block, at: place)
    progress.notePassingOver(front.unread, from: index, read: count, of: length)
    index &+= count
    guard let record = front.record else { return .nothing }
    var next = place
    next.advance(to: index)
    progress.noteRun(upTo: next)
    return .record(record, place)
  }

  /// What makes a block none whose length is known; nil if it is one.
  private func damage(_ octets: Span<UInt8>, _ index: Int, claimed: Int, length: Int) -> ParsingError? {
    guard isCredible(octets, index, claimed: claimed, length: length),
      !lacksOctets(octets, index, claimed: claimed, length: length)
    else { return .length(claimed, at: index) }
    return endsUnwritten(octets, index, length: length) ? .unwritten(at: index) : nil
  }

  /// Whether what is here is a block though its length had to be put right. Where blocks go on before its header was to end
  /// it is none; nor where nothing but its length speaks for it: not its kind, not its time, nor its packet, if that was of
  /// another length all the while.
  private func isCredible(_ octets: Span<UInt8>, _ index: Int, claimed: Int, length: Int) -> Bool {
    if isFileHeader(octets, at: index) { return true }
    guard length >= headerLength else { return false }
    if length >= claimed { return true }
    let block = octets.extracting(index..<(index &+ min(claimed, octets.count &- index)))
    guard isWhole(block) || packetLength(block) == length else { return false }
    return isFramed ? isConvincing(octets, at: index, length: length) : isTimely(octets, at: index) != false
  }

  /// Whether it is not the length of a block that is wrong, since its packet says the same, but octets of it are missing:
  /// nobody knows which, and so not what the others are. Of one that was cut off when files were joined it is the last.
  private func lacksOctets(_ octets: Span<UInt8>, _ index: Int, claimed: Int, length: Int) -> Bool {
    let end = index &+ length
    guard length < claimed, !isFramed, !isFileHeader(octets, at: end) else { return false }
    let block = octets.extracting(index..<end)
    guard let packet = packetLength(block), packet != length else { return false }
    return (uncutLength(block) ?? packet) == claimed
  }

  /// Whether a block runs into zeros, or ones, that go on behind it: there the file was never written, or the memory was
  /// erased, and nobody knows what its own last octets were.
  private func endsUnwritten(_ octets: Span<UInt8>, _ index: Int, length: Int) -> Bool {
    let end = index &+ length
    guard !isFramed, !isFileHeader(octets, at: index) else { return false }
    // Some values end in two zeros.
    guard length >= headerLength &+ 3, headerLength <= octets.count &- end else { return false }
    let blank = octets[end &- 1]
    return (blank == 0 || blank == 0xFF) && (end &- 3..<end &+ headerLength).allSatisfy { octets[$0] == blank }
  }

  private func skip(_ count: Int, _ index: inout Int, _ progress: inout CaptureProgress) {
    index += count
    progress.noteSkipped(count)
  }
}

/// What came of a block that is not like the others.
@usableFromInline enum OddBlock {
  /// A record all the same, in the block at a place.
  case record(CaptureRecord, BlockPlace)
  /// None.
  case nothing
  /// More octets are needed, or there are no more.
  case end
}

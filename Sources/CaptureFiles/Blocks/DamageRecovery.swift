import Octets

// How reading goes on where blocks do not follow one another. Either a block's length is wrong or what follows it is
// damaged; a search tells which. If blocks go on before this one was to end, or exactly where its packet would if the
// capture had kept all of it, its length was wrong and is put right. Otherwise what follows is passed over, octet by
// octet, until blocks go on.

extension CaptureFormat {
  /// Passes over what is not wanted or not readable.
  /// - Returns: Whether a block may begin here.
  @inline(never)
  func goOn(_ octets: Span<UInt8>, _ index: inout Int, _ progress: inout CaptureProgress, isLast: Bool) -> Bool {
    switch progress.course {
    case .reading: return true
    case .searching: return search(octets, &index, &progress, isLast: isLast)
    case .passingOver(let count, let areWanted):
      let step = min(count, octets.count - index)
      let rest = count - step
      if areWanted { progress.noteSkipped(step) }
      index += step
      if rest > 0, isLast { _ = progress.noteCutOff(octets, index, needs: rest) }
      progress.course = .passing(over: rest, areWanted: areWanted)
      return rest == 0
    }
  }

  /// How long the block at the index is: as its header claims where blocks go on behind it, and otherwise put right.
  /// - Returns: nil if more octets must tell, or if the block is not all there.
  func trueLength(
    claimed length: Int, _ octets: Span<UInt8>, _ index: Int, isLast: Bool, _ progress: inout CaptureProgress
  ) -> Int? {
    let (isLive, isPausing) = (progress.isLive, progress.isPausing)
    let left = octets.count &- index
    // What follows a file header is judged by that header, which has not been read yet.
    if isFileHeader(octets, at: index) { return length <= left ? length : nil }
    // At the end of the input, a damaged length may hide whole records.
    guard length <= left else { return isLast ? nextStart(octets, index, claimed: length, &progress) : nil }
    // What is judged must not depend on how much of it has come yet; live, somebody waits for it.
    let mayWait = !isLast && !isLive && left < BlockWindow.octets
    switch try? extent(octets, at: index &+ length) {
    case .unknown? where isLast:
      // A length that is wrong may reach to the end of the input by chance.
      return isTimely(octets, at: index) == nil
        ? length : nextStart(octets, index, claimed: length, &progress) ?? length
    case .unknown?:
      // Where it may hide blocks, what is still to come will tell.
      return isLive || isPausing && nextStart(octets, index, claimed: length, &progress) == nil ? length : nil
    case .octets?, .tooLong?:
      return lengthBeforeBlock(claimed: length, octets, index, mayWait: mayWait, &progress)
    case nil: return mayWait ? nil : mendedLength(claimed: length, octets, index, &progress)
    }
  }

  /// The length of a block behind which another seems to begin.
  private func lengthBeforeBlock(
    claimed length: Int, _ octets: Span<UInt8>, _ index: Int, mayWait: Bool, _ progress: inout CaptureProgress
  ) -> Int? {
    let end = index &+ length
    if let place = timelyStart(octets, within: index, &progress) { return place - index }
    if !isWhole(octets.extracting(index..<end)) {
      if mayWait, mayHideBlocks(octets, index..<end) { return nil }
      if let start = nextStart(octets, index, claimed: length, &progress) { return start }
    }
    if progress.isLive || usualLength(octets, at: end) != nil { return length }
    switch blocks(octets, at: end) {
    case .seen: return length
    case _ where mayWait: return nil
    case .toBeSeen(isOneWhole: true): return length
    case .toBeSeen(isOneWhole: false), .none: return mendedLength(claimed: length, octets, index, &progress)
    }
  }

  /// The length of a block behind which blocks do not go on: up to where they do, within it or behind it; as claimed if it
  /// is not this length that is damaged.
  @inline(never)
  private func mendedLength(
    claimed length: Int, _ octets: Span<UInt8>, _ index: Int, _ progress: inout CaptureProgress
  ) -> Int {
    nextStart(octets, index, claimed: length, &progress) ?? uncutLength(length, octets, index, &progress) ?? length
  }

  /// Whether a block that is longer than a buffer hides others, its length being wrong; nil if more octets must tell.
  func hidesBlocks(
    _ length: Int, _ octets: Span<UInt8>, _ index: Int, isLast: Bool, _ progress: inout CaptureProgress
  ) -> Bool? {
    let left = octets.count - index
    let seen = min(length, BlockWindow.octets)
    if !isLast, left < seen { return nil }
    if left > length, (try? extent(octets, at: index + length)) != nil { return false }
    // Nor is a length wrong that stands at the other end too, or that comes of a packet as long.
    if left >= length && isFramed || accounts(for: length, octets, at: index) { return false }
    let front = octets.extracting(..<(index + min(seen, left)))
    guard let start = nextStart(front, index, claimed: length, &progress) else { return false }
    // A block that is not all there was cut off: nothing was put into it.
    return left < seen || !mayHold(blocksAt: index + start, octets, at: index)
  }

  /// Where blocks go on within the block at the index, if its length is wrong.
  private func nextStart(
    _ octets: Span<UInt8>, _ index: Int, claimed: Int, _ progress: inout CaptureProgress
  ) -> Int? {
    let longest = min(claimed, octets.count - index)
    // A length that two fields agree on is not what is wrong: what seems to begin right before its end does so with
    // octets of this block. Only what is there by no accident is believed: a file header, since this block was cut off
    // when files were joined, and a block that leaves no doubt, since this one has lost octets.
    let isAgreed = claimed == longest && isAgreed(octets.extracting(index..<(index + longest)))
    let end = index + longest
    if isAgreed, isFramed {
      // The length of a block of the same size that begins so far before its end stands where its own should.
      let place = end - 8
      return areBlocks(octets, at: place) ? place - index : nil
    }
    let firstDoubtful = isAgreed ? end - headerLength : end
    var place = index + 1
    while place < end {
      if place >= firstDoubtful {
        if isFileHeader(octets, at: place) || surelyBegins(octets, at: place, within: index) { return place - index }
      } else if let next = start(octets, at: place, &progress) {
        return next < end ? next - index : nil
      }
      place += 1
    }
    return nil
  }

  /// Whether any octet of a block may begin another.
  private func mayHideBlocks(_ octets: Span<UInt8>, _ block: Range<Int>) -> Bool {
    block.dropFirst().contains { canBegin(octets, at: $0) }
  }

  /// Whether all that tells of a block's length beside the length itself says the same; false where nothing does.
  private func isAgreed(_ block: Span<UInt8>) -> Bool {
    let (uncut, packet) = (uncutLength(block), packetLength(block))
    return (uncut ?? packet) == block.count && (packet ?? uncut) == block.count
  }

  /// Whether the packet in a block says of its length what the block's header does. Where it says nothing, a whole one does
  /// not contradict.
  func isWhole(_ block: Span<UInt8>) -> Bool {
    let told = uncutLength(block) ?? block.count
    return (packetLength(block) ?? block.count) == told
  }

  /// Whether blocks go on at a place within another and leave no doubt that they do: the first one's packet is as long as
  /// it says itself, and its time lies between those of the other and of the one behind.
  private func surelyBegins(_ octets: Span<UInt8>, at place: Int, within index: Int) -> Bool {
    guard canBegin(octets, at: place), case .octets(let length)? = try? extent(octets, at: place),
      length <= octets.count - place, isWhole(octets.extracting(place..<(place + length))), areBlocks(octets, at: place)
    else { return false }
    guard let time = seconds(octets, at: place) else { return true }
    guard let before = seconds(octets, at: index), let after = seconds(octets, at: place + length) else { return false }
    return before <= time && time <= after
  }

  /// The length that the block would have if the capture had kept all of its packet, by the block's header or the packet's
  /// own, if blocks go on right there, and not before.
  private func uncutLength(
    _ length: Int, _ octets: Span<UInt8>, _ index: Int, _ progress: inout CaptureProgress
  ) -> Int? {
    let block = octets.extracting(index..<(index + length))
    for case let whole? in [uncutLength(block), packetLength(block)] {
      guard whole > length, whole < octets.count - index, areBlocks(octets, at: index + whole) else { continue }
      let end = index + whole
      let goOnBefore = (index + length..<end).contains { place in
        start(octets, at: place, &progress).map { $0 < end } ?? false
      }
      if !goOnBefore { return whole }
    }
    return nil
  }

  /// Whether enough blocks in a row stand at an index. Where the octets end, fewer will do: one that ends exactly
  /// there, or one that is whole and another that is cut off. Those must be of the days of what was read before.
  private func areBlocks(_ octets: Span<UInt8>, at index: Int) -> Bool {
    switch blocks(octets, at: index) {
    case .seen, .toBeSeen(isOneWhole: true): true
    case .none, .toBeSeen: false
    }
  }

  /// Whether a block whose header cannot be right is one all the same, as a lenient reading has it: blocks go on behind
  /// it, and none that is right within it; nil if more octets must tell.
  func isOddBlock(
    _ octets: Span<UInt8>, at index: Int, length: Int, to lenient: Self, isLast: Bool,
    _ progress: inout CaptureProgress
  ) -> Bool? {
    let mayWait = !isLast && octets.count - index < BlockWindow.octets
    switch lenient.blocks(octets, at: index) {
    case .none: return false
    // Live, only where that may tell.
    case .toBeSeen(let isOneWhole) where mayWait && !(progress.isLive && isOneWhole): return nil
    case .toBeSeen(isOneWhole: false): return false
    case .seen, .toBeSeen: return nextStart(octets, index, claimed: length, &progress) == nil
    }
  }

  /// Where blocks go on, if they seem to at an index: there, or within what seems to be a block of other days, if one of
  /// these days begins in it.
  private func start(_ octets: Span<UInt8>, at index: Int, _ progress: inout CaptureProgress) -> Int? {
    areBlocks(octets, at: index) ? timelyStart(octets, within: index, &progress) ?? index : nil
  }

  /// Where a block of the days of what was read before begins within one that is of other days, if one does. What was
  /// looked through in vain is not looked through again for the next that seems to reach over it.
  private func timelyStart(_ octets: Span<UInt8>, within index: Int, _ progress: inout CaptureProgress) -> Int? {
    guard isTimely(octets, at: index) == false, case .octets(let length)? = try? extent(octets, at: index) else {
      return nil
    }
    let end = min(index &+ length, octets.count)
    var stretch = progress.untimely
    defer { progress.untimely = stretch }
    var place = stretch.begin(at: index + 1)
    for doubtful in stretch.doubtful where doubtful > index && doubtful < end && areBlocks(octets, at: doubtful) {
      return doubtful
    }
    while place < end {
      if isTimely(octets, at: place) == true {
        switch blocks(octets, at: place) {
        case .seen, .toBeSeen(isOneWhole: true): return place
        // More octets may make it one.
        case .toBeSeen: stretch.doubt(place)
        case .none: break
        }
      }
      place += 1
      if place + headerLength <= octets.count { stretch.extend(to: place) }
    }
    return nil
  }

  /// Looks for as many blocks in a row as prove that blocks stand at an index, or one that proves itself.
  /// - Parameter foundBefore: How many stand right before it.
  private func blocks(_ octets: Span<UInt8>, at index: Int, foundBefore: Int = 0) -> BlocksInARow {
    guard index == octets.count || canBegin(octets, at: index) else { return .none }
    var place = index
    var found = foundBefore
    var isTimely: Bool { self.isTimely(octets, at: index) != false }
    while found < confirmations {
      if place == octets.count { return .toBeSeen(isOneWhole: found > 0 && isTimely) }
      guard let extent = try? extent(octets, at: place) else { return .none }
      switch extent {
      case .unknown: return .toBeSeen(isOneWhole: found > 0 && isTimely)
      case .tooLong: return found > 0 ? .seen : .none
      case .octets(let length):
        guard isConvincing(octets, at: place, length: length) else { return .none }
        found += 1
        guard length <= octets.count - place else { return .toBeSeen(isOneWhole: found > 1 && isTimely) }
        if provesItself(octets, at: place, length: length) { return .seen }
        let next = place + length
        // What a header says of its octet order holds for what follows it, not what was said before the damage.
        if let other = reading(behindHeaderAt: place, in: octets) {
          return other.blocks(octets, at: next, foundBefore: found)
        }
        place = next
      }
    }
    return .seen
  }

  /// Looks for the place where blocks go on, and passes over what lies before it.
  private func search(
    _ octets: Span<UInt8>, _ index: inout Int, _ progress: inout CaptureProgress, isLast: Bool
  ) -> Bool {
    let start = index
    defer { progress.noteSkipped(index - start) }
    while index < octets.count {
      // So it is almost everywhere, and needs no more octets to tell.
      if !canBegin(octets, at: index) {
        index += 1
        continue
      }
      // Near the end of a buffer that is not the last, wait for more to judge by: live, only where that may tell.
      if !isLast, octets.count - index < BlockWindow.octets {
        guard progress.isLive else { return false }
        if case .toBeSeen(isOneWhole: false) = blocks(octets, at: index) { return false }
      }
      if let place = self.start(octets, at: index, &progress) {
        index = place
        progress.course = .reading
        return true
      }
      index += 1
    }
    return false
  }
}

extension ParsingError {
  /// The error of a block whose length is wrong.
  static func length(_ length: Int, at offset: Int) -> ParsingError {
    ParsingError(layer: "capture", field: "Length", problem: .invalid(length.octetWords), offset: offset)
  }

  /// The error of a block that ends in what was never written, as what follows it.
  static func unwritten(at offset: Int) -> ParsingError {
    ParsingError(
      layer: "capture", field: "Packet", problem: .invalid("its end, and what follows it, was never written"),
      offset: offset)
  }

  /// The error of a block that is longer than what is looked at of one.
  static func length(_ length: Int, at offset: Int, looksAt count: Int) -> ParsingError {
    ParsingError(
      layer: "capture", field: "Length", problem: .invalid("\(length) octets, of which \(count) are looked at"),
      offset: offset)
  }
}

/// How many blocks follow one another.
private enum BlocksInARow {
  /// Enough.
  case seen
  /// The octets end before there are enough.
  case toBeSeen(isOneWhole: Bool)
  /// Something else stands there.
  case none
}

extension CaptureProgress {
  mutating func noteDamage(_ error: ParsingError) {
    course = .searching
    breaks.insert(.damage)
    noteOddHeader(error)
  }

  /// A header cannot be right, whether what is behind it can be read or not.
  mutating func noteOddHeader(_ error: ParsingError) {
    damageCount += 1
    if damages.count < Self.keptDamages {
      var error = error
      error.offset += consumedOctets
      damages.append(Damage(error: error, record: records + 1, skippedOctets: 0))
    }
  }

  mutating func noteSkipped(_ count: Int) {
    skippedOctets += count
    guard count > 0, damageCount == damages.count, let last = damages.indices.last else { return }
    damages[last].skippedOctets += count
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

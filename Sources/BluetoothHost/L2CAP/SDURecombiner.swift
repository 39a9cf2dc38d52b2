import Octets

/// Puts the K-frames of one direction of a credit-based channel together to SDUs that are ATT PDUs.
///
///     the first frame                    the others
///     +----------------+-----------      +-----------
///     | length (u16)   | segment …       | segment …
///     +----------------+-----------      +-----------
///
/// Frames carry no mark: whether one begins an SDU depends on whether one is unfinished. So once a frame is missing, all
/// that follow would be taken for something else. Where one does not fit, or may be missing, what looks like a beginning
/// is one: a length that the frame can have, and behind it an opcode. Values may look so by chance, and nobody has to fill
/// frames: the unfinished SDU is kept beside the one that seems to begin, until the frames to come fit one of them.
///
/// Core 6.0, Vol 3, Part A, 3.4.3.
public struct SDURecombiner: Sendable {
  private var recombiner = Recombiner(headerLength: headerLength)
  /// What was unfinished when another SDU seemed to begin, with all frames since as its continuation.
  private var alternative = Recombiner(headerLength: headerLength)
  /// How long the first frame of the unfinished SDU was: as long as a frame can be.
  private var firstLength = 0
  /// Whether frames may be missing since the last SDU that was whole.
  public private(set) var isInDoubt = false

  /// How many octets of memory it takes, beside its own.
  public var memory: Int { recombiner.memory + alternative.memory }

  /// Creates one with nothing in it.
  public init() {}

  /// The SDU that was completed last.
  public var sdu: CapturedOctets {
    @_lifetime(borrow self) get { recombiner.octets.dropping(Self.headerLength) }
  }

  /// The octets before an SDU that tell its length.
  public static let headerLength = 2

  /// Takes a frame. Where it is a whole SDU, that is its `wholeSDU`.
  /// - Parameter longest: The channel's MTU.
  public mutating func add(_ frame: CapturedOctets, longest: Int) -> Recombiner.Step {
    alternative.isActive ? addBesideAlternative(frame, longest) : addAlone(frame, longest)
  }

  private mutating func addAlone(_ frame: CapturedOctets, _ longest: Int) -> Recombiner.Step {
    if isInDoubt, contradictsLength(frame, longest) { recombiner.reset() }
    guard recombiner.isActive else {
      if isInDoubt, !frame.mayBeginSDU(longest), !frame.mayBeSDULength(longest) {
        return Recombiner.Step(state: .nothing, fault: nil)
      }
      return begin(frame, longest)
    }
    let missing = recombiner.missing ?? .max
    // Only the last frame is shorter than the first, in practice, and none is longer.
    // What is just what the SDU lacks is its last, whatever it looks like.
    let isOddLength = frame.length < min(firstLength, missing) || frame.length > firstLength
    let isOdd = isInDoubt && !Self.completesList(frame, recombiner) || isOddLength && frame.length != missing
    if frame.length > missing && frame.mayBeginSDU(longest) || isOdd && probablyBegins(frame, longest) {
      keepAlternative(to: frame)
      recombiner.reset()
      isInDoubt = true
      let state = begin(frame, longest).state
      let isTold = state == .whole || !alternative.isActive
      return Recombiner.Step(state: state, fault: isTold ? .startInsideUnfinished : nil)
    }
    isInDoubt = isOdd
    let step = recombiner.add(frame)
    note(step)
    // Here too the length may be cut away.
    if recombiner.isActive, recombiner.missing == nil, frame.isCut { abandon() }
    return step
  }

  /// A frame may be missing.
  public mutating func doubt() { isInDoubt = true }

  /// A frame is missing: what is unfinished comes to nothing.
  public mutating func abandon() {
    recombiner.reset()
    alternative.reset()
    isInDoubt = true
  }

  private mutating func begin(_ frame: CapturedOctets, _ longest: Int) -> Recombiner.Step {
    // Where the capture cut the length away, nobody knows whether this was all.
    if frame.isCut, frame.octets.count < Self.headerLength {
      isInDoubt = true
      return Recombiner.Step(state: .nothing, fault: nil)
    }
    // The first of several would be waited for in vain. One that is longer than it may be is a fault of its sender's.
    if let length = frame.sduLength, length > frame.segmentLength,
      frame.segmentLength > 0 ? !(isInDoubt ? frame.mayBeginSDU(longest) : frame.mayHaveOpcode) : length > longest
    {
      isInDoubt = true
      return Recombiner.Step(state: .nothing, fault: .continuationWithoutStart)
    }
    if let length = frame.sduLength, length > longest { isInDoubt = true }
    let step = recombiner.start(frame)
    if step.state == .incomplete { firstLength = frame.length }
    note(step)
    return step
  }

  private mutating func note(_ step: Recombiner.Step) {
    switch step.state {
    case .whole: isInDoubt = false
    case .complete:
      isInDoubt = false
      if alternative.isActive { alternative.reset() }
    case .nothing: isInDoubt = true
    case .incomplete: break
    }
  }

  /// Whether a frame that might continue the unfinished SDU rather begins another. The first of several is as long as
  /// frames can be, and so was that of the unfinished one.
  private func probablyBegins(_ frame: CapturedOctets, _ longest: Int) -> Bool {
    frame.mayBeginSDU(longest) && (frame.length == firstLength || frame.isWholeSDU)
  }

  /// Whether only what may be the length of an SDU is there, and a frame does not go on as an SDU of that length does.
  private func contradictsLength(_ frame: CapturedOctets, _ longest: Int) -> Bool {
    guard let missing = recombiner.missing, recombiner.octets.length == Self.headerLength, !frame.octets.isEmpty else {
      return false
    }
    return frame.mayBeginSDU(longest) || !ATTOpcode(rawValue: frame.octets[0]).mayHave(length: missing)
  }

  /// Whether a frame ends a list of values that an unfinished SDU is. Each has its length before it, and so what begins
  /// with the last looks like a whole SDU.
  private static func completesList(_ frame: CapturedOctets, _ unfinished: Recombiner) -> Bool {
    guard frame.length == unfinished.missing else { return false }
    var whole = unfinished
    _ = whole.add(frame)
    return whole.octets.dropping(headerLength).isValueList
  }
}

// MARK: - Where two SDUs may be unfinished

extension SDURecombiner {
  /// A frame seems to begin another SDU. It may continue the unfinished one all the same, unless it begins as that did:
  /// sensors send the same again and again.
  @inline(never)
  private mutating func keepAlternative(to frame: CapturedOctets) {
    guard !alternative.isActive, frame.length == firstLength || frame.isWholeSDU,
      let missing = recombiner.missing, frame.length < missing, !frame.begins(as: recombiner.octets)
    else { return }
    alternative = recombiner
    _ = alternative.add(frame)
  }

  @inline(never)
  private mutating func addBesideAlternative(_ frame: CapturedOctets, _ longest: Int) -> Recombiner.Step {
    if speaksForAlternative(frame, longest) {
      recombiner = alternative
      alternative.reset()
      isInDoubt = true
      return addAlone(frame, longest)
    }
    guard recombiner.isActive else {
      // The other was whole, and has been told, and nothing speaks against it.
      alternative.reset()
      return addAlone(frame, longest)
    }
    continueAlternative(with: frame)
    let step = addAlone(frame, longest)
    if step.state == .whole { alternative.reset() }
    return alternative.isActive ? step : Recombiner.Step(state: step.state, fault: .startInsideUnfinished)
  }

  /// Whether a frame tells that nothing began where another SDU seemed to. That was whole, and what should begin now does
  /// not; or the frame is more than it lacks; or a last one, shorter than the others, is just what the SDU before it
  /// lacks, and no other; or it ends a list of values.
  private func speaksForAlternative(_ frame: CapturedOctets, _ longest: Int) -> Bool {
    if Self.completesList(frame, alternative) { return true }
    guard let missing = alternative.missing, frame.length <= missing, !frame.isWholeSDU else { return false }
    if !recombiner.isActive || frame.length > recombiner.missing ?? .max { return !frame.mayBeginSDU(longest) }
    return frame.length == missing && frame.length < firstLength && frame.length != recombiner.missing
  }

  private mutating func continueAlternative(with frame: CapturedOctets) {
    if frame.length < alternative.missing ?? 0 {
      _ = alternative.add(frame)
    } else {
      alternative.reset()
    }
  }
}

extension CapturedOctets {
  /// The SDU in a K-frame that holds all of one; empty if it does not.
  public var wholeSDU: CapturedOctets {
    @_lifetime(copy self) get { dropping(sduLength == segmentLength ? SDURecombiner.headerLength : length) }
  }

  /// The SDU's length, if the frame is the first.
  fileprivate var sduLength: Int? {
    guard let header = header(SDURecombiner.headerLength) else { return nil }
    return Int(header.uint16(at: 0))
  }

  /// What the frame has of the SDU, if it is the first.
  fileprivate var segmentLength: Int { length - SDURecombiner.headerLength }

  /// Whether the first frames of two SDUs are alike: the same length, or the same opcode and handle; where the capture
  /// cut these away, nobody knows.
  fileprivate func begins(as other: CapturedOctets) -> Bool {
    guard let own = header(5), let others = other.header(5) else { return isCut || other.isCut }
    return own.uint16(at: 0) == others.uint16(at: 0)
      || own.uint8(at: 2) == others.uint8(at: 2) && own.uint16(at: 3) == others.uint16(at: 3)
  }

  /// Whether a K-frame looks like the first one of an SDU: a length that is its own, or that of more to come, and behind
  /// it the opcode of an ATT PDU that can be so long, unless the capture cut that away.
  fileprivate func mayBeginSDU(_ longest: Int) -> Bool {
    guard let sduLength, segmentLength > 0,
      sduLength == segmentLength || sduLength > segmentLength && sduLength <= longest
    else { return false }
    return sduOpcode?.mayHave(length: sduLength) ?? true
  }

  /// Whether a K-frame has the opcode of an ATT PDU behind an SDU length, however long that may be.
  fileprivate var mayHaveOpcode: Bool { sduOpcode.map { $0.name != nil } ?? true }

  /// What stands behind the SDU length; nil if the capture cut it away.
  private var sduOpcode: ATTOpcode? {
    guard let header = header(3) else { return nil }
    return ATTOpcode(rawValue: header.uint8(at: 2))
  }

  /// Whether a K-frame looks like one that holds all of an SDU.
  fileprivate var isWholeSDU: Bool { sduLength == segmentLength && mayBeginSDU(.max) }

  /// Whether a K-frame may be the length of an SDU, and nothing else.
  fileprivate func mayBeSDULength(_ longest: Int) -> Bool {
    guard let sduLength, segmentLength == 0 else { return false }
    return sduLength > 0 && sduLength <= longest
  }

  /// Whether an ATT PDU is a Multiple Handle Value Notification whose last value ends where it does. Core 6.0, Vol 3,
  /// Part F, 3.4.7.4.
  fileprivate var isValueList: Bool {
    guard opcode == .multipleHandleValueNotification else { return false }
    var end = 1
    // The handle, and the length of the value.
    while let tuple = dropping(end).header(4) { end += 4 + Int(tuple.uint16(at: 2)) }
    return end == length
  }
}

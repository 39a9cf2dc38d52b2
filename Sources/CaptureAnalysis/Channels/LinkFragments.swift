import BluetoothHost
import CaptureFiles

/// Puts the fragments of a connection's L2CAP PDUs together, those of each direction by themselves.
/// Core 6.0, Vol 3, Part A, 7.2.2.
struct LinkFragments {
  private var recombiners = BothDirections(Recombiner())
  private var lostPieces = LostPieces()
  /// Whether it is not certain of all pieces which way they went: then they need not fit.
  var isGuessed = false

  /// What a fragment did.
  struct Step {
    let state: Recombiner.State
    let fault: FragmentFault?
  }

  /// Whether a PDU that went one way is unfinished.
  @inline(__always)
  func isUnfinished(_ direction: Direction) -> Bool {
    direction == .received ? recombiners.received.isActive : recombiners.sent.isActive
  }

  /// Takes a fragment.
  /// - Parameters:
  ///   - start: When the last PDU that went this way began, this one if the fragment begins it; nil if none did.
  ///   - wasMade: Whether the making of the connection was seen.
  mutating func add(
    _ packet: HCIACLData, _ direction: Direction, since start: Timestamp?, wasMade: Bool, at time: Timestamp
  ) -> Step {
    let isContinuation = packet.isContinuation
    if isContinuation, lostPieces.include(restOf: start, at: time) { recombiners[direction].reset() }
    let isExcused =
      isGuessed
      || lostPieces.excuse(direction, isContinuation: isContinuation, since: start, wasSeen: wasMade)
    if !isContinuation { lostPieces.noteStart(direction) }
    return direction == .received
      ? Self.add(packet, to: &recombiners.received, isExcused) : Self.add(packet, to: &recombiners.sent, isExcused)
  }

  private static func add(_ packet: HCIACLData, to recombiner: inout Recombiner, _ isExcused: Bool) -> Step {
    let unfinished = recombiner.unfinishedChannel
    let step = recombiner.add(fragment: packet.data, isContinuation: packet.isContinuation)
    let fault = step.fault.map { fault in
      FragmentFault(fault: fault, isContinuation: packet.isContinuation, unfinished: unfinished, isExcused: isExcused)
    }
    return Step(state: step.state, fault: fault)
  }

  /// The PDU that was completed last, of those that went one way.
  @_lifetime(borrow self)
  func pdu(_ direction: Direction) -> CapturedOctets {
    direction == .received ? recombiners.received.octets : recombiners.sent.octets
  }

  /// Whether the capture cut even the header of the unfinished PDU away.
  func lacksHeader(_ direction: Direction) -> Bool { recombiners[direction].lacksHeader }

  /// Which of the unfinished PDUs a continuation belongs to: if both ends have one, the one that it finishes, or else
  /// has room for it; nil if that does not tell.
  func direction(toContinueWith fragment: CapturedOctets) -> Direction? {
    let (received, sent) = (recombiners.received, recombiners.sent)
    guard received.isActive, sent.isActive else {
      return received.isActive ? .received : sent.isActive ? .sent : nil
    }
    let fit = (received: received.fit(of: fragment), sent: sent.fit(of: fragment))
    return fit.received > fit.sent ? .received : fit.sent > fit.received ? .sent : nil
  }

  /// Records were lost, of this connection or another.
  mutating func noteLoss(at time: Timestamp) { lostPieces.noteLoss(at: time) }

  /// Forgets what is unfinished.
  mutating func giveUp() { recombiners = BothDirections(Recombiner()) }

  /// How many octets of memory what is unfinished takes.
  var memory: Int { recombiners.received.memory + recombiners.sent.memory }
}

/// What is wrong with a fragment.
struct FragmentFault {
  let fault: RecombinationFault
  let isContinuation: Bool
  /// The channel of the PDU that was unfinished when it came, if that is known.
  let unfinished: ChannelID?
  /// Whether it need not fit, since others are missing.
  let isExcused: Bool

  /// Whether no other PDU is lost than the unfinished one: a start of the wrong length is lost beside what it interrupts.
  var costsOnlyUnfinished: Bool { unfinished != nil && (isContinuation || fault != .tooLong) }
}

import BluetoothHost
import CaptureFiles

/// A dynamic channel that carries ATT.
struct ATTChannel {
  let bearer: BearerID
  let isCreditBased: Bool
  /// Its numbers.
  private(set) var ends: ChannelPair
  /// Whether nothing has told yet which end is whose.
  private(set) var isGuessed: Bool
  /// Whether it was opened before the capture, and has carried nothing yet.
  private(set) var isUnheard = false
  /// Whether, each way, it may have been amid an SDU when the capture began, and none has come whole since.
  private(set) var mayBeAmidSDU = BothDirections(false)
  /// The longest ATT PDU; nil until both ends have said what they take.
  var mtu: UInt16? { terms.received.mtu.flatMap { received in terms.sent.mtu.map { min(received, $0) } } }
  /// How each end takes PDUs, by the way of what it sends itself.
  var terms = BothDirections(Terms())
  /// How it did before it began to tell that in several requests, while they are not all there.
  var beforeOptions = BothDirections<Terms?>(nil)
  private var recombiners = BothDirections(SDURecombiner())
  /// When the last frame came each way.
  private var heard = BothDirections<Timestamp?>(nil)
  private var knownLosses = 0

  init(bearer: BearerID, isCreditBased: Bool, _ ends: ChannelPair, isGuessed: Bool = false) {
    self.bearer = bearer
    self.isCreditBased = isCreditBased
    self.ends = ends
    self.isGuessed = isGuessed
  }

  /// How one end takes PDUs; nil as long as it has not told.
  struct Terms {
    /// The longest, in octets.
    var mtu: UInt16?
    /// Whether it wants them numbered, as in the retransmission and streaming modes: those are not read.
    var isNumbered: Bool?
  }

  /// Whether its PDUs are what is said over it, whole or in K-frames. Both ends have to want them numbered.
  var isReadable: Bool {
    let areNumbered = [terms.received.isNumbered, terms.sent.isNumbered]
    return areNumbered.contains(false) || !areNumbered.contains(true)
  }

  /// How many octets of memory what is unfinished takes.
  var memory: Int { recombiners.received.memory + recombiners.sent.memory }

  /// A PDU with a number tells which way it went, and so which end is whose.
  mutating func settle(_ number: ChannelID, _ direction: Direction) {
    guard isGuessed else { return }
    isGuessed = false
    guard ends.number(ofReceiver: direction) != number else { return }
    ends = ChannelPair(local: ends.remote, remote: ends.local)
    (terms.received, terms.sent) = (terms.sent, terms.received)
    (beforeOptions.received, beforeOptions.sent) = (beforeOptions.sent, beforeOptions.received)
  }
}

// MARK: - SDUs

extension ATTChannel {
  /// - Returns: What becomes of it, and whether a fault may be of what went before the capture.
  mutating func add(
    kFrame: CapturedOctets, _ direction: Direction, at time: Timestamp
  ) -> (step: Recombiner.Step, isExcused: Bool) {
    isUnheard = false
    if recombiners[direction].isInDoubt, let last = heard[direction],
      time.seconds(since: last) > LostPieces.longestPause
    {
      recombiners[direction].abandon()
    }
    heard[direction] = time
    let step = recombiners[direction].add(kFrame, longest: Int(mtu ?? .max))
    let isExcused = mayBeAmidSDU[direction]
    if step.state == .whole || step.state == .complete { mayBeAmidSDU[direction] = false }
    return (step, isExcused)
  }

  /// It was opened before the capture. Nobody knows what of an SDU went before.
  mutating func beginAmid() {
    (isUnheard, mayBeAmidSDU) = (true, BothDirections(true))
    for direction in [Direction.received, .sent] { noteLoss(direction, isCertain: false) }
  }

  /// A frame is missing, or may be.
  mutating func noteLoss(_ direction: Direction, isCertain: Bool) {
    if isCertain { recombiners[direction].abandon() } else { recombiners[direction].doubt() }
  }

  /// So many times records were lost.
  mutating func note(losses: Int) {
    guard losses != knownLosses else { return }
    knownLosses = losses
    recombiners.received.doubt()
    recombiners.sent.doubt()
  }

  /// Takes the recombiner out while what it holds is read.
  mutating func takeRecombiner(_ direction: Direction) -> SDURecombiner {
    let taken = recombiners[direction]
    recombiners[direction] = SDURecombiner()
    return taken
  }

  mutating func returnRecombiner(_ recombiner: SDURecombiner, _ direction: Direction) {
    recombiners[direction] = recombiner
  }
}

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
  var isUnheard = false
  /// The longest ATT PDU; nil until both ends have said what they take.
  var mtu: UInt16? { receivedMTU.flatMap { received in sentMTU.map { min(received, $0) } } }
  private var receivedMTU: UInt16?
  private var sentMTU: UInt16?
  private var received = SDURecombiner()
  private var sent = SDURecombiner()
  private var knownLosses = 0

  init(bearer: BearerID, isCreditBased: Bool, _ ends: ChannelPair, isGuessed: Bool = false) {
    self.bearer = bearer
    self.isCreditBased = isCreditBased
    self.ends = ends
    self.isGuessed = isGuessed
  }

  /// The bearer's number.
  var number: Int? { if case .dynamic(let number) = bearer { number } else { nil } }

  /// How many octets of memory what is unfinished takes.
  var memory: Int { received.memory + sent.memory }

  /// What the end takes that sends this way.
  subscript(mtuOfSender direction: Direction) -> UInt16? {
    get { direction == .sent ? receivedMTU : sentMTU }
    set { if direction == .sent { receivedMTU = newValue } else { sentMTU = newValue } }
  }

  /// A PDU with a number tells which way it went, and so which end is whose.
  mutating func settle(_ number: ChannelID, _ direction: Direction) {
    guard isGuessed else { return }
    isGuessed = false
    guard ends.number(ofReceiver: direction) != number else { return }
    ends = ChannelPair(local: ends.remote, remote: ends.local)
    (receivedMTU, sentMTU) = (sentMTU, receivedMTU)
  }
}

// MARK: - SDUs

extension ATTChannel {
  mutating func add(kFrame: CapturedOctets, _ direction: Direction) -> Recombiner.Step {
    let longest = Int(mtu ?? .max)
    return direction == .received ? received.add(kFrame, longest: longest) : sent.add(kFrame, longest: longest)
  }

  /// A frame is missing, or may be.
  mutating func noteLoss(_ direction: Direction, isCertain: Bool) {
    var recombiner = takeRecombiner(direction)
    if isCertain { recombiner.abandon() } else { recombiner.doubt() }
    returnRecombiner(recombiner, direction)
  }

  /// So many times records were lost.
  mutating func note(losses: Int) {
    guard losses != knownLosses else { return }
    knownLosses = losses
    received.doubt()
    sent.doubt()
  }

  /// Takes the recombiner out while what it holds is read.
  mutating func takeRecombiner(_ direction: Direction) -> SDURecombiner {
    let taken = direction == .received ? received : sent
    returnRecombiner(SDURecombiner(), direction)
    return taken
  }

  mutating func returnRecombiner(_ recombiner: SDURecombiner, _ direction: Direction) {
    if direction == .received { received = recombiner } else { sent = recombiner }
  }
}

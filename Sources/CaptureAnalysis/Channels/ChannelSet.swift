import BluetoothHost
import CaptureFiles

/// The dynamic channels of a connection that carry ATT.
struct ChannelSet {
  private var channels: [ATTChannel] = []
  private var requests: [Request] = []
  private var reconfigurations: [Reconfiguration] = []
  /// The last one, until a channel is closed.
  private var lastOpening: Opening?
  /// The channels that are known to carry something else.
  private var others: [ChannelPair] = []
  private var nextBearer = 1
  /// Whether a channel was asked for that carries something else, on a BR/EDR link, but for those over which services are
  /// looked for.
  private(set) var carriesOthers = false
  /// How many times records were lost.
  private var losses = 0
  /// Whether it is not certain which way the command at hand went.
  var isGuessing = false

  /// A connection has few channels; a file with more is made to exhaust memory.
  private static let most = 64

  /// A request for channels that has not been answered.
  private struct Request {
    let identifier: UInt8
    let direction: Direction
    let psm: ProtocolServiceMultiplexer
    let sources: [ChannelID]
    var isCreditBased = true
    var mtu: UInt16?
    var isGuessed = false

    var isATT: Bool { psm == (isCreditBased ? .enhancedATT : .att) }
  }

  /// The response by which channels were opened, or others.
  private struct Opening: Equatable {
    let identifier: UInt8
    let direction: Direction
    let destinations: [ChannelID]
  }

  /// A request to take more, or otherwise, that has not been answered, and how its end took it before.
  private struct Reconfiguration {
    let identifier: UInt8
    let direction: Direction
    let before: [(bearer: BearerID, terms: ATTChannel.Terms)]
  }

  /// Whether no channel carries ATT.
  var isEmpty: Bool { channels.isEmpty }

  /// Where the channel of a PDU stands, if it carries ATT.
  func place(of channel: ChannelID, _ direction: Direction) -> Int? {
    channels.firstIndex { $0.ends.number(ofReceiver: direction) == channel }
  }

  subscript(place: Int) -> ATTChannel {
    get { channels[place] }
    _modify { yield &channels[place] }
  }

  /// Takes a K-frame of a channel.
  /// - Returns: What becomes of it, and whether a fault may be of what went before the capture.
  mutating func add(
    kFrame: CapturedOctets, at place: Int, _ direction: Direction, _ time: Timestamp
  ) -> (step: Recombiner.Step, isExcused: Bool) {
    channels[place].note(losses: losses)
    return channels[place].add(kFrame: kFrame, direction, at: time)
  }

  /// Records were lost; each channel is told when it is used again. What carried something else may be closed by now, and
  /// its numbers be others'.
  mutating func noteLoss() {
    losses &+= 1
    others = []
  }

  /// What went one way is missing, on one channel for certain, or on any.
  mutating func noteLoss(on number: ChannelID?, _ direction: Direction) {
    for place in channels.indices {
      let own = channels[place].ends.number(ofReceiver: direction)
      if number ?? own == own { channels[place].noteLoss(direction, isCertain: number != nil) }
    }
  }

  /// How many octets of memory what is unfinished takes.
  var memory: Int { channels.reduce(0) { $0 + $1.memory } }

  /// Forgets what is unfinished.
  mutating func forgetUnfinished() {
    for place in channels.indices {
      for direction in [Direction.received, .sent] { channels[place].noteLoss(direction, isCertain: true) }
    }
  }

  /// The MTU of a BR/EDR channel whose ends do not speak of it. Core 6.0, Vol 3, Part A, 5.1.
  private static let usualMTU: UInt16 = 672

  /// Follows a command.
  /// - Returns: What was agreed upon, once it is known from both ends.
  mutating func apply(_ command: SignallingCommand, _ direction: Direction) -> [MTUEvent] {
    let identifier = command.identifier
    switch command.content {
    case .connectionRequest(let psm, let source):
      if psm != .att, psm != .serviceDiscovery { carriesOthers = true }
      note(Request(identifier: identifier, direction: direction, psm: psm, sources: [source], isCreditBased: false))
    case .leCreditBasedConnectionRequest(let psm, let source, let mtu):
      note(Request(identifier: identifier, direction: direction, psm: psm, sources: [source], mtu: mtu))
    case .creditBasedConnectionRequest(let psm, let mtu, let sources):
      note(Request(identifier: identifier, direction: direction, psm: psm, sources: sources, mtu: mtu))
    case .connectionResponse(let destination, _, let result):
      // 1 is "pending": another response will follow.
      if result != 1 { return open(identifier, direction, result == 0 ? [destination] : [], mtu: nil) }
    case .leCreditBasedConnectionResponse(let destination, let mtu, let result):
      return open(identifier, direction, result == 0 ? [destination] : [], mtu: mtu)
    case .creditBasedConnectionResponse(let mtu, let result, let destinations):
      // These are "pending" too: whether the channels are given is in the response that follows.
      guard !(0x000D...0x000F).contains(result) else { return [] }
      return open(identifier, direction, Self.givesSome(result) ? destinations : [], mtu: mtu)
    case .configurationRequest(let destination, let options):
      return configure(destination, options, identifier, direction)
    case .configurationResponse(let result):
      // 4 is "pending": another response will follow.
      if result != 4 { return answer(identifier, isAccepted: result == 0, direction) }
    case .creditBasedReconfigureRequest(let mtu, let ends):
      return reconfigure(ends, mtu: mtu, identifier, direction)
    case .creditBasedReconfigureResponse(let result):
      return answer(identifier, isAccepted: result == 0, direction)
    case .commandReject, .cut(code: .commandReject):
      requests.removeAll { $0.identifier == identifier && $0.direction == direction.opposite }
      return answer(identifier, isAccepted: false, direction)
    default: break
    }
    return []
  }

  /// Whether some of the channels that were asked for are given, or all. With other results a peer may repeat numbers that
  /// mean nothing. Core 6.0, Vol 3, Part A, 4.26.
  private static func givesSome(_ result: UInt16) -> Bool { [0x0000, 0x0004, 0x0009, 0x000A].contains(result) }

  /// An identifier is used again: what it stood for has been answered, in the capture or not.
  mutating func reuse(_ identifier: UInt8, _ direction: Direction) {
    requests.removeAll { $0.identifier == identifier && $0.direction == direction }
    reconfigurations.removeAll { $0.identifier == identifier && $0.direction == direction }
  }

  private mutating func note(_ request: Request) {
    var request = request
    request.isGuessed = isGuessing
    if requests.count == Self.most { requests.removeFirst() }
    requests.append(request)
  }

  private mutating func open(
    _ identifier: UInt8, _ direction: Direction, _ destinations: [ChannelID], mtu: UInt16?
  ) -> [MTUEvent] {
    guard
      let place = requests.firstIndex(where: { $0.identifier == identifier && $0.direction == direction.opposite })
    else {
      // The same once more opens nothing, and ends nothing.
      if lastOpening == Opening(identifier: identifier, direction: direction, destinations: destinations) { return [] }
      for destination in destinations where !isGuessing { end(destination, of: direction, sparesUnheard: true) }
      return []
    }
    let request = requests.remove(at: place)
    lastOpening = Opening(identifier: identifier, direction: direction, destinations: destinations)
    let isGuessed = request.isGuessed && isGuessing
    let agreedMTU = request.mtu.flatMap { asked in mtu.map { min(asked, $0) } }
    let first = nextBearer
    for (source, destination) in zip(request.sources, destinations) where destination.isDynamic {
      // Whatever had the numbers is over, though its end is not in the capture, and whoever has them now.
      if !isGuessed || request.isATT {
        end(source, of: request.direction)
        end(destination, of: direction)
      }
      let ends = ChannelPair(source, ofSender: request.direction, other: destination)
      guard request.isATT else {
        // What nobody gave out may be a damaged record's.
        if request.psm.isGivenOut(isCreditBased: request.isCreditBased) { note(other: ends) }
        continue
      }
      add(ends, isCreditBased: request.isCreditBased, isGuessed: isGuessed) {
        $0.terms[request.direction].mtu = request.mtu
        $0.terms[direction].mtu = mtu
      }
    }
    guard let agreedMTU, first < nextBearer else { return [] }
    return [MTUEvent(mtu: agreedMTU, isEnhanced: request.isCreditBased, bearers: Array(first..<nextBearer))]
  }

  /// A channel was opened before the capture. Nobody knows how much it takes.
  mutating func adopt(_ known: KnownChannel) {
    let pair = known.ends
    channels.removeAll {
      $0.ends.local == pair.local && pair.local.isDynamic || $0.ends.remote == pair.remote && pair.remote.isDynamic
    }
    add(pair, isCreditBased: known.isCreditBased) { $0.beginAmid() }
  }

  private mutating func add(
    _ ends: ChannelPair, isCreditBased: Bool, isGuessed: Bool = false, _ prepare: (inout ATTChannel) -> Void
  ) {
    var channel = ATTChannel(
      bearer: .dynamic(nextBearer), isCreditBased: isCreditBased, ends, isGuessed: isGuessed)
    prepare(&channel)
    nextBearer += 1
    if channels.count == Self.most { channels.removeFirst() }
    channels.append(channel)
  }

  /// An end has given a number away: a channel that it was the number of before is no more. One that has carried nothing
  /// is the one that is given it, where the request for it came before the capture.
  private mutating func end(_ number: ChannelID, of direction: Direction, sparesUnheard: Bool = false) {
    guard number.isDynamic else { return }
    others.removeAll { $0.number(ofSender: direction) == number }
    channels.removeAll { $0.ends.number(ofSender: direction) == number && !(sparesUnheard && $0.isUnheard) }
  }

  private mutating func note(other ends: ChannelPair) {
    if others.count == Self.most { others.removeFirst() }
    others.append(ends)
  }

  /// Whether a channel is known to carry something else than ATT.
  func isOther(_ channel: ChannelID, _ direction: Direction) -> Bool {
    others.contains { $0.number(ofReceiver: direction) == channel }
  }

  /// An end can take more from now on; the other one as much as before, and so the longest ATT PDU may stay as it is. Who
  /// asks names the channels by its own numbers. Core 6.0, Vol 3, Part A, 4.27.
  /// - Returns: What holds for the channels whose other end has told what it takes.
  private mutating func reconfigure(
    _ ends: [ChannelID], mtu: UInt16, _ identifier: UInt8, _ direction: Direction
  ) -> [MTUEvent] {
    let asked = channels.indices.filter {
      channels[$0].isCreditBased && ends.contains(channels[$0].ends.number(ofSender: direction))
    }
    let before = asked.map { (bearer: channels[$0].bearer, terms: channels[$0].terms[direction]) }
    note(Reconfiguration(identifier: identifier, direction: direction, before: before))
    // It must not take less.
    for place in asked {
      channels[place].terms[direction].mtu = max(channels[place].terms[direction].mtu ?? 0, mtu)
    }
    return agreements(at: asked)
  }

  private mutating func note(_ reconfiguration: Reconfiguration) {
    if reconfigurations.count == Self.most { reconfigurations.removeFirst() }
    reconfigurations.append(reconfiguration)
  }

  /// Where it was refused, what held before holds again. Core 6.0, Vol 3, Part A, 4.5 and 4.28.
  private mutating func answer(_ identifier: UInt8, isAccepted: Bool, _ direction: Direction) -> [MTUEvent] {
    guard
      let place = reconfigurations.firstIndex(where: {
        $0.identifier == identifier && $0.direction == direction.opposite
      })
    else { return [] }
    let reconfiguration = reconfigurations.remove(at: place)
    if isAccepted { return [] }
    var changed: [Int] = []
    for (bearer, terms) in reconfiguration.before {
      guard let place = channels.firstIndex(where: { $0.bearer == bearer }) else { continue }
      if channels[place].terms[reconfiguration.direction].mtu != terms.mtu { changed.append(place) }
      channels[place].terms[reconfiguration.direction] = terms
    }
    return agreements(at: changed)
  }

  /// What holds for channels of which both ends have told what they take, those alike together.
  private func agreements(at places: [Int]) -> [MTUEvent] {
    var bearers: [UInt16: [Int]] = [:]
    for place in places {
      guard let mtu = channels[place].mtu, let number = channels[place].bearer.number else { continue }
      bearers[mtu, default: []].append(number)
    }
    let areEnhanced = places.allSatisfy { channels[$0].isCreditBased }
    return bearers.sorted { $0.key < $1.key }.map { MTUEvent(mtu: $0.key, isEnhanced: areEnhanced, bearers: $0.value) }
  }

  /// Who sends the request says how it can receive; where it does not, what it has said before holds. The destination is
  /// the receiver's number of the channel. Core 6.0, Vol 3, Part A, 4.4.
  private mutating func configure(
    _ destination: ChannelID, _ options: ConfigurationOptions, _ identifier: UInt8, _ direction: Direction
  ) -> [MTUEvent] {
    guard let place = place(of: destination, direction), !channels[place].isCreditBased else { return [] }
    let terms = channels[place].terms[direction]
    // What comes in several requests is refused or accepted as one.
    let before = channels[place].beforeOptions[direction] ?? terms
    channels[place].beforeOptions[direction] = options.goOn ? before : nil
    note(
      Reconfiguration(
        identifier: identifier, direction: direction, before: [(bearer: channels[place].bearer, terms: before)]))
    channels[place].terms[direction] = ATTChannel.Terms(
      mtu: options.mtu ?? terms.mtu ?? Self.usualMTU,
      isNumbered: options.isBasic.map { !$0 } ?? terms.isNumbered ?? false)
    return agreements(at: [place])
  }

  /// A channel has ended.
  /// - Returns: The bearer that it was; two where its ends were heard, and nothing told that they belong together.
  mutating func close(_ ends: ChannelPair) -> [Int] {
    lastOpening = nil
    others.removeAll { $0 == ends }
    let closed = channels.filter { $0.ends.mayBe(ends) }.compactMap(\.bearer.number)
    channels.removeAll { $0.ends.mayBe(ends) }
    return closed
  }
}

// MARK: - Where the capture does not tell directions

extension ChannelSet {
  /// Which way a PDU with this number went; nil if it is no channel's, or if nothing tells the ends apart.
  func direction(of number: ChannelID) -> Direction? {
    var direction: Direction?
    for channel in channels where channel.ends.names(number) {
      let way: Direction = channel.ends.local == number ? .received : .sent
      guard !channel.isGuessed, channel.ends.local != channel.ends.remote, direction ?? way == way else { return nil }
      direction = way
    }
    return direction
  }

  /// Which way a command went, by the requests and channels it is about.
  func direction(of command: SignallingCommand) -> Direction? {
    switch command.content {
    case .connectionResponse, .creditBasedConnectionResponse:
      requests.last { $0.identifier == command.identifier }?.direction.opposite
    case .creditBasedReconfigureResponse, .configurationResponse:
      reconfigurations.last { $0.identifier == command.identifier }?.direction.opposite
    case .configurationRequest(let destination, _), .disconnectionRequest(let destination, _):
      direction(of: destination)
    case .disconnectionResponse(let destination, _):
      direction(of: destination)?.opposite
    default: nil
    }
  }

  /// Which way a PDU went, by whether a client or a server speaks in it. The server is the peer's: one of the host's own
  /// is known only where something else tells the ends apart.
  mutating func direction(ofSpeakerIn pdu: L2CAPPDU) -> Direction? {
    guard let place = channels.firstIndex(where: { $0.ends.names(pdu.channel) }) else { return nil }
    let payload = channels[place].isCreditBased ? pdu.payload.wholeSDU : pdu.payload
    guard let isSentByServer = payload.opcode?.isSentByServer else { return nil }
    let direction: Direction = isSentByServer ? .received : .sent
    channels[place].settle(pdu.channel, direction)
    return direction
  }
}

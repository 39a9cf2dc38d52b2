import BluetoothHost
import CaptureFiles
import Octets

/// Looks for channels of one kind that carry ATT. Nothing says so but what goes over them: requests and what answers them,
/// or values of the same attributes again and again.
struct ChannelSearch {
  /// Whether it is for enhanced bearers, whose K-frames tell how long a PDU is. BR/EDR's bearer, in Basic mode, has
  /// nothing before its PDUs; so they must tell more themselves.
  private let isCreditBased: Bool
  /// What went one way with one number.
  private struct Stream {
    let number: ChannelID
    let direction: Direction
    /// The number by which the other end's requests came that were answered here.
    var partner: ChannelID?
    /// The numbers of which one is that, as long as it is not known.
    var candidates: [ChannelID] = []
    /// The last request that has not been answered.
    var waiting: EarlierRequest?
    /// How many answers may have been to that, or to another one's.
    var claims = 0
    /// The attributes that have notified.
    var notifying: [UInt16] = []
    /// How much here speaks for ATT, since its channel was found last.
    var signs = 0
    /// How many values came of attributes that are known to notify, since then.
    var known = 0
    /// How many frames were something else.
    var misfits = 0
  }

  private var streams: [Stream] = []
  /// The channels of which one end has not been heard.
  private var halves: [ChannelPair] = []

  /// A link has few channels; a file with more is made to exhaust memory.
  private static let most = 32
  /// How much on the whole link speaks for ATT. Where channels are found to be ATT's, others that look alike are so too: it
  /// stays then, and less is needed of each.
  private var signs = 0
  /// One sign may be chance: another protocol has requests and answers too.
  private static let enough = 3
  /// One value may be late, of a channel that is closed.
  private static let enoughKnown = 2
  private static let mostNotifying = 8
  /// A channel that has carried so much else is another protocol's. A long value comes in many pieces, each of which may
  /// be anything.
  private static let mostMisfits = 128
  /// What a whole PDU that is none of ATT's counts for.
  private static let foreignMisfits = 16

  init(isCreditBased: Bool) { self.isCreditBased = isCreditBased }

  /// Whether it is known that something else goes over a channel, or there are too many to know.
  func isDismissed(_ number: ChannelID, _ direction: Direction) -> Bool {
    guard let stream = streams.first(where: { $0.number == number && $0.direction == direction }) else {
      return streams.count >= Self.most
    }
    return stream.misfits >= Self.mostMisfits
  }

  /// Looks at a frame of a channel that is not known.
  /// - Parameter isKnown: Whether it would be a value of an attribute that is known to notify: hardly any other protocol
  ///   says that twice by chance.
  /// - Returns: The channel, once enough speaks for ATT.
  mutating func look(
    at frame: CapturedOctets, on number: ChannelID, _ direction: Direction, isKnown: Bool
  ) -> EarlierChannel? {
    guard let place = place(of: number, direction), streams[place].misfits < Self.mostMisfits else { return nil }
    let pdu = isCreditBased ? frame.wholeSDU : frame
    guard let opcode = pdu.opcode, pdu.mayBeATT, isCreditBased || pdu.isSound else {
      // A whole PDU that is none of ATT's is another protocol's; a piece of one may be anything.
      let isForeign = pdu.length > 0 && (!frame.isCut || !pdu.mayBeCutATT)
      if isForeign { noteForeign(place) } else { streams[place].misfits += 1 }
      return nil
    }
    if !isCreditBased, pdu.isRatherForeign {
      streams[place].misfits += 1
      return nil
    }
    var answered: EarlierRequest?
    switch opcode.role {
    case .request: (streams[place].waiting, streams[place].claims) = (EarlierRequest(pdu, opcode), 0)
    case .response: answered = takeRequest(of: pdu, opcode, place)
    case .notification, .indication: notified(pdu, place, isKnown: isKnown)
    case .confirmation:
      // Of what was indicated over the one channel that was heard.
      guard let half = onlyHalf(heard: direction.opposite) else { break }
      halves.removeAll { $0 == half }
      return found(half.completed(by: number, ofReceiver: direction), nil)
    case .command, nil: break
    }
    return isEvident(place) ? adopt(place, answered) : nil
  }

  /// The channel of which only one end has been heard, the one that receives what goes this way, if there is just one.
  private func onlyHalf(heard direction: Direction) -> ChannelPair? {
    let heard = halves.filter { $0.number(ofReceiver: direction).isDynamic }
    return heard.count == 1 ? heard[0] : nil
  }

  /// Whether enough speaks for ATT: signs on the link, and one of them here; or values that hardly any other protocol has.
  private func isEvident(_ place: Int) -> Bool {
    signs >= Self.enough && streams[place].signs > 0 || streams[place].known >= Self.enoughKnown
  }

  /// What looks like a response speaks for ATT if there is a request for it.
  private mutating func takeRequest(of pdu: CapturedOctets, _ opcode: ATTOpcode, _ place: Int) -> EarlierRequest? {
    let stream = streams[place]
    let others = streams.compactMap {
      $0.direction == stream.direction && $0.number != stream.number ? $0.partner : nil
    }
    let fitting = requests(answeredBy: pdu, stream.direction).filter { !others.contains(streams[$0].number) }
    guard !fitting.isEmpty else { return nil }
    noteAnswer(opcode, place)
    let numbers = fitting.map { streams[$0].number }
    var candidates = stream.partner.map { [$0] } ?? stream.candidates
    candidates = candidates.filter(numbers.contains)
    if candidates.isEmpty { candidates = numbers }
    streams[place].candidates = candidates
    guard let only = candidates.first, candidates.count == 1 else {
      claim(fitting)
      return nil
    }
    streams[place].partner = only
    return takeWaiting(only, stream.direction.opposite)
  }

  /// Any of some requests may be answered: they all are once as many answers have come.
  private mutating func claim(_ requests: [Int]) {
    for place in requests {
      streams[place].claims += 1
      if streams[place].claims >= requests.count { streams[place].waiting = nil }
    }
  }

  /// What answers a request speaks for ATT.
  private mutating func noteAnswer(_ opcode: ATTOpcode, _ place: Int) {
    switch opcode {
    // What is read or written may be anything: where nothing tells a PDU's length, it only adds to what says more.
    case .readResponse, .readBlobResponse, .readMultipleResponse, .readMultipleVariableResponse, .writeResponse,
      .prepareWriteResponse, .executeWriteResponse:
      if isCreditBased || signs > 1 { note(signs: 1, place) }
    case .exchangeMTUResponse: break
    // What is discovered has a form of its own, and so have errors.
    default: note(signs: 2, place)
    }
  }

  /// A PDU is none of ATT's: it is another protocol's, unless others speak for ATT, whose length is told, or which are
  /// expected. Then it is a faulty one, or the end of a long value, which looks like a frame of its own; until there are too
  /// many.
  private mutating func noteForeign(_ place: Int) {
    let stream = streams[place]
    let speaksForATT = stream.known > 0 || isCreditBased && (stream.signs > 0 || !stream.notifying.isEmpty)
    streams[place].misfits += Self.foreignMisfits
    if !speaksForATT || streams[place].misfits >= Self.mostMisfits { dismiss(place) }
  }

  /// It is another protocol's: what seemed to speak for ATT was chance.
  private mutating func dismiss(_ place: Int) {
    signs -= streams[place].signs
    streams[place].signs = 0
    streams[place].misfits = Self.mostMisfits
  }

  private mutating func note(signs count: Int, _ place: Int) {
    streams[place].signs += count
    signs += count
  }

  /// An attribute that notifies again, here or on another channel, is one. Where nothing but three octets says so, it must
  /// notify what is looked for.
  private mutating func notified(_ pdu: CapturedOctets, _ place: Int, isKnown: Bool) {
    let handle = pdu.uint16(orZeroAt: 1)
    if isKnown { streams[place].known += 1 }
    if !isCreditBased {
      let isMeasurement = pdu.isMeasurement
      if isMeasurement == false, streams[place].notifying.contains(handle) { note(signs: -2, place) }
      guard isMeasurement == true else { return }
    }
    if streams.contains(where: { $0.direction == streams[place].direction && $0.notifying.contains(handle) }) {
      note(signs: 1, place)
    }
    guard streams[place].notifying.count < Self.mostNotifying, !streams[place].notifying.contains(handle) else {
      return
    }
    streams[place].notifying.append(handle)
  }

  /// Looks at a frame of a channel of which only this end was known: it may answer what went to the other.
  /// - Returns: The channel, if it does.
  mutating func complete(_ number: ChannelID, _ direction: Direction, with frame: CapturedOctets) -> EarlierChannel? {
    guard let place = halves.firstIndex(where: { $0.number(ofReceiver: direction) == number }) else { return nil }
    let pdu = isCreditBased ? frame.wholeSDU : frame
    guard pdu.mayBeATT else { return nil }
    let fitting = requests(answeredBy: pdu, direction)
    guard let asked = fitting.first, fitting.count == 1 else {
      claim(fitting)
      return nil
    }
    let half = halves.remove(at: place)
    let number = streams[asked].number
    return found(
      half.completed(by: number, ofReceiver: direction.opposite), takeWaiting(number, direction.opposite))
  }

  /// A channel is closed: what comes with its numbers is another's.
  mutating func forget(_ ends: ChannelPair) {
    for stream in streams where stream.number == ends.number(ofReceiver: stream.direction) { signs -= stream.signs }
    streams.removeAll { $0.number == ends.number(ofReceiver: $0.direction) }
    halves.removeAll { $0.mayBe(ends) }
  }

  private mutating func place(of number: ChannelID, _ direction: Direction) -> Int? {
    if let place = streams.firstIndex(where: { $0.number == number && $0.direction == direction }) { return place }
    guard streams.count < Self.most else { return nil }
    streams.append(Stream(number: number, direction: direction))
    return streams.count - 1
  }

  /// The requests that a PDU may answer, by the places of their streams. Where they are several, nobody knows by which of
  /// their numbers the other end of its channel goes.
  private func requests(answeredBy pdu: CapturedOctets, _ direction: Direction) -> [Int] {
    let answer = ATTOpcode(rawValue: pdu.octets[0])
    let isError = answer == .errorResponse
    let opcode = isError ? ATTOpcode(rawValue: pdu.octets[1]) : answer.request
    return streams.indices.filter { place in
      guard streams[place].direction != direction, let request = streams[place].waiting, request.opcode == opcode else {
        return false
      }
      return isError ? pdu.uint16(orZeroAt: 2) == request.handle : request.fits(pdu)
    }
  }

  /// Which number the other end gave a channel is told by what is answered; as long as only one is in use, it is that.
  /// - Parameter answered: The request that is answered just now.
  private mutating func adopt(_ place: Int, _ answered: EarlierRequest?) -> EarlierChannel {
    let stream = streams[place]
    let others = streams.filter { $0.direction != stream.direction && $0.misfits == 0 }
    let isAlone = !streams.contains { $0.direction == stream.direction && $0.number != stream.number }
    // What is asked there may be answered over another, which has not been heard yet.
    let isOnlyOne = isAlone && others.count == 1 && others[0].waiting == nil && halves.isEmpty
    let other = stream.partner ?? (isOnlyOne ? others[0].number : nil)
    // That it was found is no reason to find it again.
    streams[place].signs = 0
    streams[place].known = 0
    // And that there are such channels lets others be found sooner.
    signs = max(signs, Self.enough)
    let half = ChannelPair(.unheard, ofSender: stream.direction, other: stream.number)
    guard let other else {
      if halves.count < Self.most { halves.append(half) }
      return found(half, nil)
    }
    return found(
      half.completed(by: other, ofReceiver: stream.direction.opposite),
      answered ?? takeWaiting(other, stream.direction.opposite))
  }

  private func found(_ ends: ChannelPair, _ request: EarlierRequest?) -> EarlierChannel {
    EarlierChannel(channel: KnownChannel(ends: ends, isCreditBased: isCreditBased), request: request)
  }

  /// The request that waits on a channel which has been found now.
  private mutating func takeWaiting(_ number: ChannelID, _ direction: Direction) -> EarlierRequest? {
    guard let place = streams.firstIndex(where: { $0.number == number && $0.direction == direction }) else {
      return nil
    }
    defer { streams[place].waiting = nil }
    return streams[place].waiting
  }
}

/// A channel that has given itself away.
struct EarlierChannel {
  let channel: KnownChannel
  /// What was asked over it, against the direction of what gave it away, and has just been answered, or not yet; nil if
  /// nothing was.
  var request: EarlierRequest?
}

/// A request that went over a channel of which nothing was known. It is told with its answer: by then it is.
struct EarlierRequest {
  let opcode: ATTOpcode
  /// The attribute that it is about, or the first of them.
  let handle: UInt16
  private let octets: ContiguousArray<UInt8>
  private let length: Int
  private let origin: Int

  /// All that configures, and all that discovers, is shorter.
  private static let longest = 32

  fileprivate init(_ pdu: CapturedOctets, _ opcode: ATTOpcode) {
    self.opcode = opcode
    handle = pdu.uint16(orZeroAt: 1)
    octets = ContiguousArray(pdu.octets.extracting(first: Self.longest))
    (length, origin) = (pdu.length, pdu.origin)
  }

  /// Whether a response may be to it.
  fileprivate func fits(_ response: CapturedOctets) -> Bool {
    response.mayAnswer(pdu) ?? (pdu.isCut || response.isCut)
  }

  /// The request, as far as it was kept.
  var pdu: CapturedOctets {
    @_lifetime(borrow self) get { CapturedOctets(octets.span, length: length, origin: origin) }
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit

/// Who waits for whose answer on the ATT bearers of a connection.
struct ATTDialogue {
  /// What the PDU at hand is in it.
  private(set) var step = Step.other
  /// Where something was lost last, so that nobody can tell what was asked before.
  private var forgotten: Moment?
  /// Whether something was.
  var hasForgotten: Bool { forgotten != nil }
  /// Whether the PDU at hand is the answer that proves that requests on its bearer did not wait for each other's: it answers
  /// what another was sent behind, or the last of all that waited.
  private(set) var provesOverlap = false
  /// What each side waits for.
  private var sides: [Side] = []
  /// What had timed out before something was lost: that it had no answer holds all the same.
  private(set) var timedOut: [TimedOut] = []

  /// In seconds.
  static let timeout = ATTConversation.timeout
  /// In seconds: a server that has two requests has their answers in no more time between each other.
  private static let rightBehind = 1.0
  private static let mostSides = 64
  private static let mostWaiting = 16
  /// Of what waits, more octets than any request of interest has are not kept.
  private static let mostOctets = 32

  /// Something that waits for its answer.
  struct Asked {
    let pdu: ATTDialoguePDU
    let moment: Moment
    /// Whether a request that the same side sent later, before this one had timed out, was answered: then the client had its
    /// answer, most likely, and the capture lacks it.
    fileprivate(set) var isPassedOver = false

    /// How long it has waited, in seconds.
    func age(at now: Moment) -> Double { now.time.seconds(since: moment.time) }
    /// Whether an error says that what was asked for is not there: there is nothing, or something else than an earlier
    /// connection told, for a configuration can always be written. Core 6.0, Vol 3, Part G, 3.3.3.3.
    func misses(_ error: ATTErrorCode) -> Bool {
      error == .invalidHandle
        || error == .writeNotPermitted && pdu.maySwitchOnNotifications && pdu.attribute?.isHearsay == true
    }
    /// Whether it was not answered in time, by the moment at hand, which ends its bearer.
    func isDead(at now: Moment) -> Bool { !isPassedOver && age(at: now) >= ATTDialogue.timeout }
  }

  /// Something that had waited too long when something was lost, the first on its side.
  struct TimedOut {
    let asked: Asked
    /// What came last before that.
    let heard: Moment
    /// When its bearer was closed; nil if it was not by then.
    let closed: Moment?
  }

  /// What a PDU is.
  enum Step {
    /// A request; the one before it has had no answer yet, if there is one. Where one has timed out, it is that one,
    /// whatever was sent since: the bearer is dead.
    case request(behind: Asked?)
    /// A response, or an Error Response; nil if nothing waits that it could answer.
    case response(to: Asked?)
    /// A response, or an Error Response, to what came by another of the bearers that have a channel of their own.
    case straying(from: Asked)
    /// An indication; the one before it has not been confirmed yet, if there is one.
    case indication(behind: Asked?)
    /// A confirmation; nil if nothing waits for it.
    case confirmation(of: Asked?)
    /// Something else.
    case other
  }

  /// One side of one bearer: what it has sent and what the other side has not answered.
  private struct Side {
    let id: BearerSide
    var requests: [Asked] = []
    /// Whether one was sent behind another since none waited.
    var hasOverlap = false
    /// When the last one was answered that was sent behind another, as if that had lost its own answer; nil once more is
    /// asked.
    var passedOver: Moment?
    var indication: Asked?
    /// Indications that another one followed before they were confirmed: their confirmations may still come.
    var overtaken: [Asked] = []
    /// The last request of a kind that is not defined: it may be refused.
    var odd: Asked?
    /// When something was answered last.
    var answered: Moment?
    /// When the bearer was closed.
    var closed: Moment?

    /// The requests that wait, and the indication.
    var waiting: [Asked] { requests + (indication.map { [$0] } ?? []) }

    /// The request of a kind that an answer is for, which waits no more: rather one that it fits, and one that has neither
    /// timed out nor been passed over.
    mutating func take(_ kind: ATTOpcode, for answer: ATTDialoguePDU, at moment: Moment) -> Asked? {
      let ofKind = requests.indices.filter { requests[$0].pdu.opcode == kind }
      let waiting = ofKind.filter { !requests[$0].isPassedOver && requests[$0].age(at: moment) < ATTDialogue.timeout }
      let fits = { [requests] (place: Int) in requests[place].pdu.mayBeAnswered(by: answer) }
      let choices = [waiting.filter(fits), ofKind.filter(fits), waiting, ofKind]
      let time = { [requests] (place: Int) in requests[place].moment.time }
      guard let place = choices.lazy.compactMap({ ATTConversation.answered(among: $0, askedAt: time) }).first else {
        return nil
      }
      let asked = requests.remove(at: place)
      passOver(before: place, asked.moment, at: moment)
      return asked
    }

    /// What waits before a place has lost its answer, as it seems, if it has not timed out by a moment: then what was sent
    /// behind it overlaps nothing.
    private mutating func passOver(before place: Int, _ moment: Moment, at answered: Moment) {
      for earlier in 0..<place where !requests[earlier].isPassedOver && !requests[earlier].isDead(at: moment) {
        (requests[earlier].isPassedOver, hasOverlap, passedOver) = (true, false, answered)
      }
    }

    /// Whether the answer to a request that waits no more proves that others were sent behind those before them. Where an
    /// answer is missing, those that follow seem to be late all along: then one waits to the end.
    mutating func provesOverlap(_ answered: Asked, at moment: Moment) -> Bool {
      if answered.isPassedOver { return hasBothAnswers(at: moment) }
      guard hasOverlap else { return false }
      if requests.allSatisfy(\.isPassedOver) {
        hasOverlap = false
        return true
      }
      let later = requests.filter { $0.moment > answered.moment }
      return !later.isEmpty && !later.contains { $0.pdu.opcode == answered.pdu.opcode }
    }

    /// Whether what seemed to have lost its answer has it now, right behind the answer to what was sent behind it. Where
    /// others have lost theirs, it may be a later one's, whose request is lost, too.
    private func hasBothAnswers(at moment: Moment) -> Bool {
      guard let passedOver, !requests.contains(where: \.isPassedOver) else { return false }
      return (0..<ATTDialogue.rightBehind).contains(moment.time.seconds(since: passedOver.time))
    }
  }

  /// The requests and indications that wait, in no order.
  var waiting: [Asked] { sides.flatMap(\.waiting) }

  /// What makes it doubtful that an answer is to nothing, or to the request that waits: the capture lacks others without a
  /// note, as it seems, and may lack requests, too.
  var doubt: String? {
    sides.contains { $0.requests.contains(where: \.isPassedOver) }
      ? "the capture lacks answers to other requests, as it seems, and may lack this one's request as well" : nil
  }

  /// When the bearer of something that waits was closed; nil if it was not.
  func closing(of asked: Asked) -> Moment? { side(of: asked)?.closed }

  /// Whether, since something that waits was sent, a request of the same side was answered.
  func isAnswered(since asked: Asked) -> Bool { side(of: asked)?.answered.map { $0 > asked.moment } ?? false }

  private func side(of asked: Asked) -> Side? { sides.first { $0.id == asked.pdu.side } }

  /// A bearer was closed.
  mutating func close(_ bearer: Int, _ moment: Moment) {
    for place in sides.indices where sides[place].id.bearer == bearer { sides[place].closed = moment }
    step = .other
  }

  /// Something was lost: nobody can tell what waits, but for what had timed out before.
  /// - Parameter heard: When something came last before that.
  mutating func forget(at moment: Moment, heard: Moment) {
    for side in sides where timedOut.count < Self.mostSides {
      guard let first = side.waiting.first(where: { $0.isDead(at: heard) }) else { continue }
      timedOut.append(TimedOut(asked: first, heard: heard, closed: side.closed))
    }
    sides = []
    forgotten = moment
    step = .other
  }

  /// Whether what comes at a moment may answer what was asked before something was lost: even of what comes late, hardly
  /// anything comes after twice as long as a transaction may take.
  func mayAnswerForgotten(at now: Moment) -> Bool {
    forgotten.map { now.time.seconds(since: $0.time) < 2 * Self.timeout } ?? false
  }

  /// Takes up a PDU.
  mutating func take(_ pdu: ATTDialoguePDU, _ moment: Moment) {
    let asked = Asked(pdu: pdu.shortened(to: Self.mostOctets), moment: moment)
    provesOverlap = false
    guard let opcode = pdu.opcode else {
      step = .other
      return forget(at: moment, heard: moment)
    }
    switch opcode.role {
    case .request: step = .request(behind: ask(asked))
    case .response: step = opcode == .errorResponse ? refused(pdu, moment) : answered(pdu, opcode.request, moment)
    case .indication: step = .indication(behind: indicated(asked))
    case .confirmation: step = .confirmation(of: confirmed(pdu))
    case .command: step = .other
    case .notification, nil:
      sides[place(of: pdu.side)].odd = asked
      step = .other
    }
  }
}

extension ATTDialogue {
  private mutating func place(of side: BearerSide) -> Int {
    if let place = sides.firstIndex(where: { $0.id == side }) { return place }
    if sides.count >= Self.mostSides { sides.removeFirst() }
    sides.append(Side(id: side))
    return sides.count - 1
  }

  private mutating func ask(_ asked: Asked) -> Asked? {
    let place = place(of: asked.pdu.side)
    let dead = sides[place].requests.firstIndex { $0.isDead(at: asked.moment) }
    let last = sides[place].requests.last { !$0.isPassedOver }
    (sides[place].hasOverlap, sides[place].passedOver) = (last != nil, nil)
    defer {
      // What killed the bearer is to be told at its end.
      if sides[place].requests.count >= Self.mostWaiting { sides[place].requests.remove(at: dead == 0 ? 1 : 0) }
      sides[place].requests.append(asked)
    }
    return dead.map { sides[place].requests[$0] } ?? last
  }

  private mutating func indicated(_ asked: Asked) -> Asked? {
    let place = place(of: asked.pdu.side)
    defer { sides[place].indication = asked }
    guard let waiting = sides[place].indication else { return nil }
    if sides[place].overtaken.count >= Self.mostWaiting { sides[place].overtaken.removeFirst() }
    sides[place].overtaken.append(waiting)
    return waiting
  }

  private mutating func confirmed(_ pdu: ATTDialoguePDU) -> Asked? {
    let place = place(of: pdu.side.opposite)
    defer { sides[place].indication = nil }
    return sides[place].indication ?? sides[place].overtaken.popLast()
  }

  private mutating func answered(_ pdu: ATTDialoguePDU, _ request: ATTOpcode, _ moment: Moment) -> Step {
    let place = place(of: pdu.side.opposite)
    if let asked = sides[place].take(request, for: pdu, at: moment) {
      sides[place].answered = moment
      provesOverlap = sides[place].provesOverlap(asked, at: moment)
      return .response(to: asked)
    }
    guard pdu.bearer != nil else { return .response(to: nil) }
    for other in sides.indices
    where sides[other].id.bearer != nil && sides[other].id.direction == sides[place].id.direction {
      if let asked = sides[other].take(request, for: pdu, at: moment) { return .straying(from: asked) }
    }
    return .response(to: nil)
  }

  private mutating func refused(_ pdu: ATTDialoguePDU, _ moment: Moment) -> Step {
    guard let request = pdu.refused else {
      forget(at: moment, heard: moment)
      return .other
    }
    let place = place(of: pdu.side.opposite)
    if let odd = sides[place].odd, odd.pdu.opcode == request {
      sides[place].odd = nil
      return .other
    }
    return answered(pdu, request, moment)
  }
}

extension ATTDialoguePDU {
  /// The name of what it is, as the specification calls it.
  var name: String { ATTOpcode(rawValue: octets.first ?? 0).words }

  /// "an Exchange MTU Request", "a Read Request for Battery Level (0x001b)".
  var phrase: String { ATTOpcode(rawValue: octets.first ?? 0).phrase + target }

  /// "Read Request for Battery Level (0x001b)", or "Read Request for 0x001b".
  var words: String { name + target }

  private var target: String { attribute.map { " for \($0.words)" } ?? "" }

  /// The same with no more than so many octets.
  fileprivate func shortened(to most: Int) -> ATTDialoguePDU {
    if octets.count <= most { return self }
    return ATTDialoguePDU(
      bearer: bearer, direction: direction, octets: ContiguousArray(octets.prefix(most)), length: length,
      attribute: attribute)
  }

  /// Sixteen bits at a place; nil if they were not kept.
  func uint16(at place: Int) -> UInt16? {
    guard place >= 0, place + 1 < octets.count else { return nil }
    return UInt16(octets[place]) | UInt16(octets[place + 1]) << 8
  }

  /// Whose client it comes from, if it is a request: the server that it asks.
  var askedServer: ServerSide { direction.askedServer }

  /// Whether it is a Write Request or a Write Command: without a signature, they have the same effect.
  var isUnsignedWrite: Bool { opcode == .writeRequest || opcode == .writeCommand }

  /// Whether it writes an attribute, by a request or a command, or prepares that.
  var writesAttribute: Bool { isUnsignedWrite || opcode == .signedWriteCommand || opcode == .prepareWriteRequest }

  /// The value in a Write Request or a command, without the signature behind it; nil if the capture cut it.
  var written: ArraySlice<UInt8>? {
    guard !isCut, octets.count >= 3 else { return nil }
    return switch opcode {
    case .writeRequest, .writeCommand: octets.dropFirst(3)
    case .signedWriteCommand: octets.dropFirst(3).dropLast(ATTPDU.signatureLength)
    default: nil
    }
  }

  /// The part in a Prepare Write Request that a value begins with; nil for another part, and if the capture cut it.
  /// Core 6.0, Vol 3, Part F, 3.4.6.1.
  var preparedBeginning: ArraySlice<UInt8>? {
    guard opcode == .prepareWriteRequest, !isCut, uint16(at: 3) == 0 else { return nil }
    return octets.dropFirst(5)
  }

  /// Whether an Execute Write Request writes what was prepared, rather than cancel it; nil for anything else, and if the
  /// capture cut it.
  var executes: Bool? { opcode == .executeWriteRequest && octets.count >= 2 ? octets[1] == 1 : nil }

  /// What an Error Response refuses; nil for anything else, and if that is not there.
  var refused: ATTOpcode? {
    opcode == .errorResponse && octets.count >= 2 ? ATTOpcode(rawValue: octets[1]) : nil
  }

  /// The error in an Error Response.
  var error: ATTErrorCode? {
    opcode == .errorResponse && octets.count >= 5 ? ATTErrorCode(rawValue: octets[4]) : nil
  }
}

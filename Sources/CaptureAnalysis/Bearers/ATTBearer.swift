import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

/// Which of a connection's ATT bearers a PDU went over.
enum BearerID: Hashable {
  /// The unenhanced bearer of a Low Energy link.
  case fixed
  /// One on a dynamic channel: an enhanced bearer, or BR/EDR's.
  case dynamic(Int)

  /// The number of one on a dynamic channel.
  var number: Int? { if case .dynamic(let number) = self { number } else { nil } }
}

/// What goes on over one bearer: the requests of each side.
struct ATTBearer {
  let id: BearerID
  /// Those of each client, by the way its PDUs go: the local host's are sent.
  var conversations = BothDirections(ATTConversation())

  init(_ id: BearerID) {
    self.id = id
  }

  /// How many octets of memory they take, beside their own.
  var memory: Int { conversations.sent.memory + conversations.received.memory }
}

/// One direction of one bearer: a client's requests and what it writes and reads in several steps.
struct ATTConversation {
  /// The requests that wait, the oldest first. One whose response the capture lacks waits until another is asked.
  private var pending: [Asked] = []
  /// Whether what waits may have been answered already: something that the server has sent is missing, or a response fits
  /// several requests. Then it does not wait for long: a client that asks again has its answers.
  private var mayBeAnswered = false
  /// Whether the next response may be to another request than the one found for it: something that the server has sent is
  /// missing, or the capture cut the request, which need not be what it seems.
  private var mayBeMistaken = false
  /// The requests that were skipped because a later one was answered, and whose own answers would have told something.
  private var passedOver: [ATTRequest] = []
  /// What has been read so far of a value that takes several requests.
  private var longRead = LongRead()
  /// What has been prepared and not executed.
  private var prepared: [PreparedWrite] = []
  /// What is being executed: prepared before the request to do so that was not answered yet.
  private var executing: [PreparedWrite] = []

  /// What the unenhanced bearer of a Low Energy link takes in any case. Core 6.0, Vol 3, Part G, 5.2.1.
  static let leastMTU: UInt16 = 23
  /// In seconds: a transaction that is not completed by then has timed out. Core 6.0, Vol 3, Part F, 3.3.3.
  static let timeout = 30.0
  /// A client has one request at a time; a few more are a fault to be reported, many are made to exhaust memory.
  private static let mostPending = 16
  /// As much as a server must never promise.
  private static let mostPrepared = 256
  private static let longestValue = 512

  private struct Asked {
    let request: ATTRequest
    let time: Timestamp
  }

  /// A value that is being read in pieces.
  struct LongRead {
    /// The attribute's; nil before anything was read.
    var handle: UInt16?
    var octets: ContiguousArray<UInt8> = []
  }

  /// A part of a write that is being prepared.
  struct PreparedWrite {
    let handle: UInt16
    let offset: Int
    private(set) var octets: ContiguousArray<UInt8>
    /// How many octets were sent.
    private(set) var length: Int

    init(_ handle: UInt16, offset: Int, _ value: CapturedOctets) {
      (self.handle, self.offset) = (handle, offset)
      (octets, length) = (ContiguousArray(value.octets), value.length)
    }

    /// The part behind it: what the capture kept of it, where it kept all before.
    fileprivate mutating func append(_ part: PreparedWrite) {
      if octets.count == length { octets += part.octets }
      length += part.length
    }
  }

  /// The client asks. It does so only when what it asked before has been answered: what still waits has lost its
  /// response if something of the server's is not in the capture, or if it has timed out.
  mutating func ask(_ request: ATTRequest, at time: Timestamp, isCut: Bool = false) {
    if mayBeAnswered { forgetUnanswered() }
    (mayBeAnswered, mayBeMistaken) = (false, isCut)
    pending.removeAll { !(0..<Self.timeout).contains(time.seconds(since: $0.time)) }
    if pending.count == Self.mostPending { pending.removeFirst() }
    pending.append(Asked(request: request, time: time))
  }

  /// Something that the server sent is not in the capture, or makes no sense.
  /// - Parameter isOver: Whether it was sent before the last request: then it was the answer to one before that.
  mutating func noteLost(isOver: Bool) {
    if isOver, pending.count > 1 { pending.removeFirst() } else { (mayBeAnswered, mayBeMistaken) = (true, true) }
  }

  /// The request that a response is for, of those that wait for one of its kind and that it fits. What waits longer has
  /// lost its response.
  ///
  /// If it fits another one too, either the client does not wait for its answers, or one is not in the capture; where it would
  /// tell something else of that, it tells nothing.
  mutating func answered(_ response: ATTPDU, _ opcode: ATTOpcode) -> ATTRequest? {
    guard let oldest = pending.firstIndex(where: { $0.request.opcode.response == opcode }) else { return nil }
    if oldest == pending.count - 1 { return take(oldest) }
    let fitting = pending.indices.filter { place in
      pending[place].request.opcode.response == opcode && pending[place].request.fits(response)
    }
    let place = Self.answered(among: fitting) { [pending] in pending[$0].time } ?? oldest
    let others = fitting.filter { $0 != place }.map { pending[$0].request }
    let request = take(place)
    guard others.allSatisfy(request.isAnsweredLike) else {
      mayBeAnswered = true
      return nil
    }
    return request
  }

  /// Which of some requests is answered, if any of them may be: the last one, since a client waits for each answer, and
  /// where several wait, those to the others are not in the capture. Of those that were sent at once, the first one.
  static func answered(among places: [Int], askedAt time: (Int) -> Timestamp) -> Int? {
    places.last.map { last in
      places.reversed().reduce(last) { time($0).seconds(since: time($1)) < atOnce ? $1 : $0 }
    }
  }

  /// In seconds: an answer takes at least from one connection event to the next.
  private static let atOnce = PeripheralPreferredConnectionParameters.shortestInterval

  /// The request that an error is for, of those that began where the error says, else of those of its kind. What is refused
  /// was no better before: of others like it, whose answers are missing, none is taken to have been granted.
  mutating func refused(_ opcode: ATTOpcode, _ handle: UInt16) -> ATTRequest? {
    forgetPrepared(opcode, handle)
    let ofKind = pending.indices.filter { pending[$0].request.opcode == opcode }
    let there = ofKind.filter { pending[$0].request.handle == handle }
    let place = Self.answered(among: there.isEmpty ? ofKind : there) { [pending] in pending[$0].time }
    guard let refused = place.map({ take($0) }) else { return nil }
    passedOver.removeAll { $0.opcode == refused.opcode && $0.handle == refused.handle }
    return refused
  }

  /// What the server has refused to prepare is not in its queue, and what it has refused to execute is not any more: a
  /// later execution must not write either. Core 6.0, Vol 3, Part F, 3.4.6.1 and 3.4.6.3.
  private mutating func forgetPrepared(_ opcode: ATTOpcode, _ handle: UInt16) {
    if opcode == .executeWriteRequest { executing = [] }
    guard opcode == .prepareWriteRequest, let place = prepared.lastIndex(where: { $0.handle == handle }) else { return }
    prepared.remove(at: place)
  }

  private mutating func take(_ place: Int) -> ATTRequest {
    let request = pending[place].request
    for asked in pending[..<place] where asked.request.hasEffect && passedOver.count < Self.mostPending {
      passedOver.append(asked.request)
    }
    pending.removeFirst(place + 1)
    return request
  }

  /// The attributes that wait for two octets to be written, the last one first: each may be a configuration.
  var configurations: [UInt16] {
    pending.reversed().compactMap { if case .write(let handle, _, length: 2) = $0.request { handle } else { nil } }
  }

  /// A configuration is written that asks for values, as is plain from what came since: its answer is late, or not in the
  /// capture.
  /// - Returns: What was written.
  mutating func takeConfiguration(_ configuration: UInt16) -> ContiguousArray<UInt8>? {
    for place in pending.indices.reversed() {
      guard case .write(configuration, let octets, length: 2) = pending[place].request, (octets.first ?? 3) & 3 != 0
      else {
        continue
      }
      pending[place] = Asked(request: .doneWrite(handle: configuration), time: pending[place].time)
      return octets
    }
    return nil
  }

  /// The requests whose answers turned out to be missing, of those that change something; asked for once.
  mutating func takePassedOver() -> [ATTRequest] {
    defer { passedOver = [] }
    return passedOver
  }

  /// Whether the response that has just come can be to no other request than the one that was found for it.
  var isSure: Bool { pending.isEmpty && !mayBeMistaken }

  /// What still waits has lost its response, and must not take another's.
  mutating func forgetUnanswered() {
    if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
  }

  mutating func forgetRequests() {
    pending = []
    longRead = LongRead()
    forgetPrepared()
  }

  /// How many octets of memory it takes, beside its own.
  var memory: Int {
    pending.reduce(0) { $0 + $1.request.memory } + (prepared + executing).reduce(0) { $0 + $1.octets.capacity }
      + longRead.octets.capacity
  }

  /// A value, or its first part, was read.
  mutating func beginLongRead(_ handle: UInt16, _ octets: Span<UInt8>) {
    longRead.handle = handle
    guard longRead.octets.count == octets.count else {
      longRead.octets.removeAll(keepingCapacity: true)
      return longRead.octets.append(octets)
    }
    // What is read again and again is as long as before.
    var kept = longRead.octets.mutableSpan
    for index in octets.indices { kept[index] = octets[index] }
  }

  /// A further part was read.
  /// - Returns: The value as far as it is known; nil if what precedes the part is not.
  mutating func continueLongRead(
    _ handle: UInt16, offset: Int, _ octets: ContiguousArray<UInt8>
  ) -> ContiguousArray<UInt8>? {
    guard longRead.handle == handle, longRead.octets.count >= offset, offset <= Self.longestValue else { return nil }
    longRead.octets.removeSubrange(offset...)
    longRead.octets.append(contentsOf: octets.prefix(Self.longestValue - offset))
    return longRead.octets
  }

  mutating func prepare(_ write: PreparedWrite) {
    if prepared.count < Self.mostPrepared { prepared.append(write) }
  }

  /// The client asks for execution: whatever comes of it, nothing is prepared any more.
  mutating func execute() { (executing, prepared) = (prepared, []) }

  /// What was prepared has been executed or cancelled, and the request for that is not in the capture, or may not be.
  mutating func forgetPrepared() { (executing, prepared) = ([], []) }

  /// The values that execution has written, in parts that may be of several attributes in turns. One of which a part does
  /// not begin where those before end, as where its beginning was not written, is none of them: nobody knows what it is.
  mutating func takeExecuted() -> [PreparedWrite] {
    defer { executing = [] }
    var values: [PreparedWrite] = []
    for write in executing {
      let place = values.lastIndex { $0.handle == write.handle }
      if let place, write.offset == values[place].length {
        values[place].append(write)
      } else if write.offset == 0 {
        values.append(write)
      } else if let place {
        values.remove(at: place)
      }
    }
    return values
  }
}

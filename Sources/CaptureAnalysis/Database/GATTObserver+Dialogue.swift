import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

// What goes over the bearers, told PDU by PDU to rules that ask who said what when.

extension GATTObserver {
  /// Tells a PDU that is neither a notification nor a command, before anything is learned from it. Of commands only
  /// those are told that may switch notifications on, though nobody should do it that way.
  @inline(never)
  mutating func tell(
    dialogue payload: CapturedOctets, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    if !payload.octets.isEmpty, ATTOpcode(rawValue: payload.octets[0]).isCommand, !payload.mayConfigure { return }
    if isQuiet(payload, bearer, direction, &context) { return }
    tellQuiet(&context)
    quiet.note(payload)
    tellLoud(payload, bearer, direction, &context)
  }

  /// Whether a PDU is one half of an exchange that nobody asks about: a read or a write of an attribute that has nothing
  /// to do with heart rates, answered in time and in its turn. The request waits for its response; should something
  /// else come, both are told.
  private mutating func isQuiet(
    _ payload: CapturedOctets, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) -> Bool {
    guard bearer == .fixed, !payload.isCut, (1...23).contains(payload.length) else { return false }
    let opcode = payload.octets[0]
    if let waiting = quiet.waiting {
      guard waiting.isAnswered(by: opcode, direction, at: context.time) else { return false }
      quiet.waiting = nil
      return true
    }
    guard quiet.isPossible, opcode == 0x0A || opcode == 0x12, !payload.mayConfigure,
      (3...QuietExchanges.Request.most).contains(payload.length)
    else { return false }
    let handle = UInt16(payload.octets[1]) | UInt16(payload.octets[2]) << 8
    switch type(of: handle, at: direction.askedServer, &context) {
    case .heartRateMeasurement?, .bodySensorLocation?, .heartRateControlPoint?, .clientCharacteristicConfiguration?,
      .databaseHash?:
      return false
    case nil: if payload.length == 5 { return false }
    default: break
    }
    quiet.waiting = QuietExchanges.Request(
      payload, direction, Moment(frame: context.frame, time: context.time, member: context.member))
    return true
  }

  /// Tells the request that waits, if one does.
  mutating func tellQuiet(_ context: inout TrackingContext<some EventReceiver>) {
    guard let request = quiet.waiting else { return }
    quiet.waiting = nil
    let octets = request.octets
    let pdu = ATTDialoguePDU(
      bearer: nil, direction: request.direction, octets: octets, length: octets.count,
      attribute: attribute(in: octets, request.direction, &context))
    quiet.isInTurn = false
    context.tell(.dialogue(.pdu(pdu)), connection: connection, at: request.moment)
  }

  private func tellLoud(
    _ payload: CapturedOctets, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let octets = ContiguousArray(payload.octets)
    let number: Int? = if case .dynamic(let number) = bearer { number } else { nil }
    let pdu = ATTDialoguePDU(
      bearer: number, direction: direction, octets: octets, length: payload.length,
      attribute: attribute(in: octets, direction, &context))
    context.tell(.dialogue(.pdu(pdu)), connection: connection)
  }

  /// The attribute that a PDU is about: behind the opcode, or, in an Error Response, behind the request's too.
  private func attribute(
    in octets: ContiguousArray<UInt8>, _ direction: Direction, _ context: inout TrackingContext<some EventReceiver>
  ) -> DialogueAttribute? {
    guard let opcode = octets.first else { return nil }
    let place: Int
    let side: ServerSide
    switch opcode {
    case 0x01: (place, side) = (2, direction.server)
    case 0x1D: (place, side) = (1, direction.server)
    case 0x0A, 0x0C, 0x12, 0x16, 0x52: (place, side) = (1, direction.askedServer)
    default: return nil
    }
    guard octets.count >= place + 2 else { return nil }
    return attribute(UInt16(octets[place]) | UInt16(octets[place + 1]) << 8, side, &context)
  }

  private func attribute(
    _ handle: UInt16, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) -> DialogueAttribute {
    let owner = context.databases[place(side)].characteristic(owning: handle)
    // A value follows its declaration.
    let next = handle < .max ? context.databases[place(side)].characteristic(owning: handle + 1) : nil
    let isInferred = inferred.contains { $0.server == side && [$0.handle, $0.configurationHandle].contains(handle) }
    return DialogueAttribute(
      handle: handle, uuid: type(of: handle, at: side, &context),
      characteristic: isInferred ? .heartRateMeasurement : owner?.uuid,
      properties: isInferred ? nil : owner?.properties,
      declares: next?.declaration == handle ? next?.uuid : nil, server: side)
  }
}

extension ATTOpcode {
  /// Whether it takes no answer: the command flag. Core 6.0, Vol 3, Part F, 3.3.1.
  fileprivate var isCommand: Bool { rawValue & 0x40 != 0 || rawValue == 0x1B || rawValue == 0x23 }
}

/// Exchanges on the unenhanced bearer that are not told unless something is odd about them.
struct QuietExchanges {
  /// The request that waits for its response.
  var waiting: Request?
  /// Whether every request that was told has been answered.
  var isInTurn = true
  /// Whether a server has told that its table changed: from there on, all is told.
  private var hasTableChange = false

  /// Whether a request may be kept back.
  var isPossible: Bool { isInTurn && !hasTableChange }

  /// A short request, kept as it came.
  struct Request {
    let direction: Direction
    let moment: Moment
    /// The octets, in three numbers: as many as a request has that needs no longer ATT_MTU than every link has.
    private var packed: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private let count: Int

    static let most = 24

    init(_ payload: CapturedOctets, _ direction: Direction, _ moment: Moment) {
      self.direction = direction
      self.moment = moment
      count = min(payload.octets.count, Self.most)
      for place in 0..<count {
        let octet = UInt64(payload.octets[place]) << (8 * UInt64(place & 7))
        if place < 8 { packed.0 |= octet } else if place < 16 { packed.1 |= octet } else { packed.2 |= octet }
      }
    }

    var octets: ContiguousArray<UInt8> {
      ContiguousArray(
        (0..<count).map { place in
          let word = place < 8 ? packed.0 : place < 16 ? packed.1 : packed.2
          return UInt8(truncatingIfNeeded: word >> (8 * UInt64(place & 7)))
        })
    }

    /// Whether a PDU is its response, and comes before the transaction times out.
    func isAnswered(by opcode: UInt8, _ direction: Direction, at time: Timestamp) -> Bool {
      opcode == UInt8(truncatingIfNeeded: packed.0) &+ 1 && direction != self.direction
        && (0..<ATTConversation.timeout).contains(time.seconds(since: moment.time))
    }
  }

  /// A PDU is told.
  mutating func note(_ payload: CapturedOctets) {
    guard !payload.octets.isEmpty else { return isInTurn = false }
    let opcode = payload.octets[0]
    switch opcode {
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21: isInTurn = true
    case 0x1D, 0x1E: break
    default: isInTurn = false
    }
    if opcode == 0x1D || opcode == 0x01 && payload.octets.count > 4 && payload.octets[4] == 0x12 {
      hasTableChange = true
    }
    // A request for the Database Hash, 2B2A, by its type.
    if opcode == 0x08, payload.octets.count >= 7, payload.octets[5] == 0x2A, payload.octets[6] == 0x2B {
      hasTableChange = true
    }
  }
}

extension CapturedOctets {
  /// Whether this is a Write Request or Write Command with what a Client Characteristic Configuration may be.
  var mayConfigure: Bool {
    length == 5 && octets.count == 5 && octets[0] & 0xBF == 0x12 && octets[4] == 0 && (1...3).contains(octets[3])
  }
}

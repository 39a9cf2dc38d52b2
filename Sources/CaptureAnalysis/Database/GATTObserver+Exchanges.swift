import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

// The exchanges that there are most of: one read or write, answered in its turn.

extension GATTObserver {
  /// Looks at a PDU that may be one half of an exchange that nobody asks about: a read or a write of an attribute that
  /// has nothing to do with heart rates, answered in time and in its turn. The request waits for its response; should
  /// something else come, it is told and kept as any other.
  /// - Returns: Whether it is, and nothing is left to be done.
  @inline(__always)
  mutating func take(
    exchange payload: CapturedOctets, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) -> Bool {
    guard bearer == .fixed, !payload.isCut, (1...23).contains(payload.length) else { return false }
    let octets = OctetWindow(payload.octets)
    let opcode = octets.uint8(at: 0)
    if let waiting = quiet.waiting {
      guard waiting.isAnswered(by: opcode, direction, at: context.time) else { return false }
      quiet.waiting = nil
      answered(waiting, payload, direction, &context)
      return true
    }
    guard opcode == 0x0A || opcode == 0x12, keepsQuiet(octets, opcode, direction, &context) else { return false }
    quiet.waiting = QuietExchanges.Request(
      octets, direction, Moment(frame: context.frame, time: context.time, member: context.member))
    return true
  }

  // Of all that is read and written almost everything comes here.
  @inline(__always)
  private mutating func keepsQuiet(
    _ octets: OctetWindow, _ opcode: UInt8, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) -> Bool {
    guard quiet.isPossible, octets.count >= 3, opcode == 0x0A || !context.wantsWrites && !octets.mayConfigure else {
      return false
    }
    switch type(of: octets.uint16(at: 1), at: direction.askedServer, &context) {
    case .heartRateMeasurement?, .bodySensorLocation?, .heartRateControlPoint?, .clientCharacteristicConfiguration?,
      .databaseHash?:
      return false
    case nil: return octets.count != 5
    default: return true
    }
  }

  private mutating func answered(
    _ request: QuietExchanges.Request, _ payload: CapturedOctets, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    conversation(.fixed, client: direction.opposite) { $0.forgetUnanswered() }
    if request.isRead {
      read(request.handle, payload.dropping(1), .fixed, direction, &context)
    } else if let octets = request.configuration {
      written(request.handle, octets, length: octets.count, direction.server, &context)
    }
  }
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

    init(_ payload: OctetWindow, _ direction: Direction, _ moment: Moment) {
      self.direction = direction
      self.moment = moment
      count = min(payload.count, Self.most)
      packed.0 = payload.word(at: 0)
      if count > 8 { (packed.1, packed.2) = (payload.word(at: 8), payload.word(at: 16)) }
    }

    /// Whether it is a Read Request; otherwise it is a Write Request.
    var isRead: Bool { packed.0 & 0xFF == 0x0A }
    /// The attribute it is about.
    var handle: UInt16 { UInt16(truncatingIfNeeded: packed.0 >> 8) }
    /// What it writes, if that is as long as a configuration.
    var configuration: ContiguousArray<UInt8>? {
      count == 5 && !isRead
        ? [UInt8(truncatingIfNeeded: packed.0 >> 24), UInt8(truncatingIfNeeded: packed.0 >> 32)] : nil
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
  /// Whether this is a Write Request or a command, signed or not, with what a Client Characteristic Configuration may be,
  /// or, if it is not signed, with what may be the Heart Rate Control Point's one command.
  var mayConfigure: Bool { !isCut && OctetWindow(octets).mayConfigure }
}

extension OctetWindow {
  fileprivate var mayConfigure: Bool {
    if count == 4 { return uint8(at: 0) & 0xBF == 0x12 && uint8(at: 3) == 1 }
    guard count == 5 && uint8(at: 0) & 0xBF == 0x12 || count == 17 && uint8(at: 0) == 0xD2 else { return false }
    return uint8(at: 4) == 0 && (1...3).contains(uint8(at: 3))
  }
}

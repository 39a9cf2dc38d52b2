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
    guard bearer == .fixed, !payload.isCut, (1...Int(ATTConversation.leastMTU)).contains(payload.length) else {
      return false
    }
    let octets = OctetWindow(payload.octets)
    let opcode = ATTOpcode(rawValue: octets.uint8(at: 0))
    if let waiting = quiet.waiting {
      guard waiting.isAnswered(by: opcode, direction, at: context.time) else { return false }
      quiet.waiting = nil
      answered(waiting, payload, direction, &context)
      return true
    }
    guard opcode == .readRequest || opcode == .writeRequest, keepsQuiet(octets, opcode, direction, &context) else {
      return false
    }
    quiet.waiting = QuietExchanges.Request(octets, direction, context.moment)
    return true
  }

  // Of all that is read and written almost everything comes here.
  @inline(__always)
  private mutating func keepsQuiet(
    _ octets: OctetWindow, _ opcode: ATTOpcode, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) -> Bool {
    guard quiet.isPossible, octets.count >= 3,
      opcode == .readRequest || !context.wantsWrites && !octets.mayConfigure
    else { return false }
    switch type(of: octets.uint16(at: 1), at: direction.askedServer, &context) {
    case .heartRateMeasurement?, .bodySensorLocation?, .heartRateControlPoint?, .clientCharacteristicConfiguration?,
      .databaseHash?:
      return false
    case .deviceName?: return opcode == .readRequest
    // Two octets written to what is not known may be a configuration.
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
    } else if type(of: request.handle, at: direction.server, &context) == nil {
      noteUntold(request.handle, direction.server, &context)
    }
  }
}

/// Exchanges on the unenhanced bearer that are not told unless something is odd about them.
struct QuietExchanges {
  /// The request that waits for its response.
  var waiting: Request?
  /// How many requests were told that have had no answer: what comes next may be theirs, or seem to be.
  private var unanswered = 0
  /// Whether a server has told that its table changed: from there on, all is told.
  private var hasTableChange = false

  /// Whether a request may be kept back.
  var isPossible: Bool { unanswered == 0 && !hasTableChange }

  /// A short request, kept as it came.
  struct Request {
    let direction: Direction
    let moment: Moment
    /// The octets, in three numbers.
    private var packed: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private let count: Int

    /// In octets: no request is longer that needs no longer ATT_MTU than every link has.
    private static let most = Int(ATTConversation.leastMTU)

    init(_ payload: OctetWindow, _ direction: Direction, _ moment: Moment) {
      self.direction = direction
      self.moment = moment
      count = min(payload.count, Self.most)
      packed.0 = payload.word(at: 0)
      if count > 8 { (packed.1, packed.2) = (payload.word(at: 8), payload.word(at: 16)) }
    }

    /// Whether it is a Read Request; otherwise it is a Write Request.
    var isRead: Bool { opcode == .readRequest }
    private var opcode: ATTOpcode { ATTOpcode(rawValue: UInt8(truncatingIfNeeded: packed.0)) }
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
    func isAnswered(by opcode: ATTOpcode, _ direction: Direction, at time: Timestamp) -> Bool {
      opcode == self.opcode.response && direction != self.direction
        && (0..<ATTConversation.timeout).contains(time.seconds(since: moment.time))
    }
  }

  /// A PDU is told.
  mutating func note(_ payload: CapturedOctets) {
    switch payload.opcode?.role {
    case .request: unanswered += 1
    case .response: unanswered = max(0, unanswered - 1)
    case .command, .notification, .indication, .confirmation, nil: break
    }
    if payload.mayTellTableChange { hasTableChange = true }
  }

  /// Takes the request that waits, to be told: it has turned out to be as any other.
  mutating func takeWaiting() -> Request? {
    guard let request = waiting else { return nil }
    (waiting, unanswered) = (nil, unanswered + 1)
    return request
  }

  /// Something was lost: nobody can tell what waits.
  mutating func forgetUnanswered() { unanswered = 0 }
}

extension CapturedOctets {
  /// Whether a PDU may tell that a server's table has changed: an indication may be Service Changed, an error may say that
  /// the client has not heard of the change, and whoever asks for the Database Hash compares it.
  fileprivate var mayTellTableChange: Bool {
    switch opcode {
    case .handleValueIndication: true
    case .errorResponse: octets.count > 4 && octets[4] == ATTErrorCode.databaseOutOfSync.rawValue
    // Its type, of 16 bits or 128, stands behind the range.
    case .readByTypeRequest:
      octets.count > 5 && (try? BluetoothUUID(octets: octets.extracting(5...))) == .databaseHash
    default: false
    }
  }
}

extension CapturedOctets {
  /// Whether this is a Write Request or a command, signed or not, with what a Client Characteristic Configuration may be, or
  /// the Heart Rate Control Point's one command.
  var mayConfigure: Bool { !isCut && OctetWindow(octets).mayConfigure }
}

extension OctetWindow {
  /// What is written stands behind the opcode and the handle; behind it, if it is signed, the signature.
  fileprivate var mayConfigure: Bool {
    guard count >= 4 else { return false }
    let isSigned = uint8(at: 0) == ATTOpcode.signedWriteCommand.rawValue
    switch isSigned ? count - ATTPDU.signatureLength : count {
    case 4: return (isSigned || isUnsignedWrite) && uint8(at: 3) == 1
    case 5: return (isSigned || isUnsignedWrite) && uint8(at: 4) == 0 && (1...3).contains(uint8(at: 3))
    default: return false
    }
  }

  /// A Write Request or a Write Command, which differ in the Command Flag.
  private var isUnsignedWrite: Bool { uint8(at: 0) & ~0x40 == ATTOpcode.writeRequest.rawValue }
}

import BluetoothHost
import CaptureFiles
import GATTKit

/// What was tried to get measurements, and what became of it.
extension NeverSubscribed {
  /// What is known of one server's measurement.
  struct Server {
    /// Where it was discovered, and its handle.
    var found: (moment: Moment, handle: UInt16)?
    /// Whether its server has told all that stands behind it, and no configuration is there.
    private(set) var isWithoutConfiguration = false
    /// Its handle as other connections have told it.
    private(set) var known: UInt16?
    /// Whether measurements came, or what was asked was granted, or may have been.
    var isSettled = false
    /// What became of the last attempt to switch notifications on.
    private(set) var attempt: Attempt?
    /// The one before it, if that was refused.
    private var former: Attempt?
    /// Whether such a write was prepared, and is neither executed nor cancelled.
    private var isPrepared = false
    private(set) var reads = RefusedReads()

    mutating func note(_ database: GATTDatabase) {
      known = database.valueHandle(of: .heartRateMeasurement)
      isWithoutConfiguration = found.map { database.lacksConfiguration($0.handle) } ?? false
    }

    /// Something comes that is no answer.
    mutating func note(_ pdu: ATTDialoguePDU, _ moment: Moment) {
      if pdu.maySwitchOnMeasurements { ask(pdu, moment) }
      if pdu.opcode == .executeWriteRequest, isPrepared { attempt = Attempt(pdu, moment) }
    }

    private mutating func ask(_ pdu: ATTDialoguePDU, _ moment: Moment) {
      // Nobody answers a command; what may have been written elsewhere tells nothing by its answer.
      guard let opcode = pdu.opcode, !opcode.isCommand, pdu.attribute?.characteristic == .heartRateMeasurement else {
        return isSettled = true
      }
      if opcode == .prepareWriteRequest { isPrepared = true }
      // What is tried again and again is told with the first refusal.
      if case .refused = attempt?.outcome { former = attempt }
      attempt = Attempt(pdu, moment)
    }

    mutating func note(_ answer: ATTDialoguePDU, to asked: ATTDialoguePDU, _ moment: Moment) {
      reads.note(answer, to: asked)
      let isExecution = asked.opcode == .executeWriteRequest && isPrepared
      guard isExecution || asked.maySwitchOnMeasurements else { return }
      if answer.opcode == .errorResponse {
        isPrepared = false
        refuse(answer.error, asked, moment)
      } else if isExecution, asked.executes == false {
        (attempt, isPrepared) = (nil, false)
      } else if asked.opcode == .prepareWriteRequest {
        attempt?.outcome = .prepared
      } else {
        isSettled = true
      }
    }

    private mutating func refuse(_ error: ATTErrorCode?, _ asked: ATTDialoguePDU, _ moment: Moment) {
      let isToldOtherwise = error?.wantsSecurity ?? false && asked.attribute?.heartRateRole != nil
      var refusal = Refusal(error: error, first: moment, isToldOtherwise: isToldOtherwise)
      if let former, former.words == asked.words, case .refused(let earlier) = former.outcome, earlier.error == error {
        refusal = earlier
        refusal.count &+= 1
        refusal.isToldOtherwise = isToldOtherwise
      }
      former = nil
      attempt = Attempt(asked, moment, .refused(refusal))
    }
  }

  struct Attempt {
    /// What was sent.
    let words: String
    let since: Moment
    var outcome: Outcome

    init(_ pdu: ATTDialoguePDU, _ moment: Moment, _ outcome: Outcome = .awaited) {
      (words, since, self.outcome) = (pdu.words, moment, outcome)
    }
  }

  enum Outcome {
    /// It has no answer yet.
    case awaited
    /// The server keeps it until it is told to execute it.
    case prepared
    case refused(Refusal)
  }

  struct Refusal {
    /// Nil if the capture cut it away.
    let error: ATTErrorCode?
    let first: Moment
    var count = 1
    /// Whether `AccessRefused` tells it.
    var isToldOtherwise: Bool
  }

  /// Reads of the measurement that were refused, as they must be: it is notified, or it does not come.
  struct RefusedReads {
    private var count = 0
    /// Those that they were refused with; nil is one that the capture cut away.
    private var errors: Set<ATTErrorCode?> = []

    mutating func note(_ answer: ATTDialoguePDU, to asked: ATTDialoguePDU) {
      guard answer.opcode == .errorResponse, asked.opcode == .readRequest,
        asked.attribute?.uuid == .heartRateMeasurement
      else { return }
      count += 1
      errors.insert(answer.error)
    }

    /// "; it was read instead, 90 times, and refused with Read Not Permitted (0x02)", and nothing where it was not.
    var words: String {
      guard count > 0 else { return "" }
      let error = errors.count == 1 ? errors.first.flatMap(\.self).map { " with \($0.words)" } : nil
      return "; it was read instead, \(times(count)), and refused\(error ?? "")"
    }
  }
  /// What else of the sensor the client wants: a widget may want its battery, and no heart rates.
  struct OtherInterest {
    /// What it has notified.
    private var characteristics: [BluetoothUUID] = []
    /// Whether it has read or written anything of the heart rate service.
    private var usesHeartRate = false

    private static let most = 3

    mutating func note(_ subscription: SubscriptionEvent) {
      // Hosts want to hear of another table whatever their apps want.
      guard subscription.server == .peer, let uuid = subscription.uuid, uuid != .heartRateMeasurement,
        uuid != .serviceChanged, !characteristics.contains(uuid), characteristics.count < Self.most
      else { return }
      characteristics.append(uuid)
    }

    mutating func note(_ pdu: ATTDialoguePDU) {
      let isUse = pdu.writesAttribute || pdu.opcode == .readRequest || pdu.opcode == .readBlobRequest
      if isUse, pdu.direction == .sent, pdu.attribute?.heartRateRole != nil { usesHeartRate = true }
    }

    private var isAll: Bool { !characteristics.isEmpty && !usesHeartRate }

    /// What nobody may have wanted is no fault.
    var severity: Severity? { isAll ? .info : nil }

    /// "; it has Battery Level notified, and uses nothing of the heart rate service", and nothing where it has not.
    var words: String {
      guard isAll else { return "" }
      let names = characteristics.map { AssignedNumbers.characteristicName($0) ?? "\($0)" }
      return "; the client has \(names.joined(separator: ", ")) notified, and uses nothing of the heart rate service"
    }
  }
}

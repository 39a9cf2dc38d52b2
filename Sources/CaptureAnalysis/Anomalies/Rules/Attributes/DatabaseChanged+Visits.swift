import BluetoothHost
import CaptureFiles
import GATTKit

extension DatabaseChanged {
  /// A connection that is open.
  struct Visit {
    let server: RemoteServer
    /// Whether the server, or its hash, may have told of a change.
    var isExcused = false
    /// In which handles primary services were asked for last, and of which type; nil: of any.
    var asked: (range: AttributeRange, uuid: BluetoothUUID?)?
    /// The service that was told last, and the record that did.
    var last: (frame: Int, end: UInt16, uuid: BluetoothUUID)?
    /// The last record whose services are in disorder, or chosen: a service may include any others.
    var disorder: Int?
    /// The last record in which services were told by Read By Group Type.
    var grouped: Int?
    /// Whether a service was told.
    var hasDiscovered = false
    /// What is another than before.
    var change: Change?

    /// Whether the client uses an attribute as an earlier connection has shown it.
    func reliesOnMemory(_ pdu: ATTDialoguePDU) -> Bool {
      let isUse = pdu.writesAttribute || pdu.opcode == .readRequest || pdu.opcode == .readBlobRequest
      return isUse && !hasDiscovered && pdu.direction == .sent
    }
  }

  struct Service {
    var end: UInt16
    var uuid: BluetoothUUID
    var connection: Int
    /// Whether it may be found among primary services.
    var mayBePrimary = true
    /// Whether its end is told, by Read By Group Type, which always means the same by it.
    var isEndSure = false

    /// Whether both ends are told, and differ.
    func endsElsewhere(than other: Service) -> Bool { isEndSure && other.isEndSure && end != other.end }
  }

  /// Handles among which no primary service was found on a connection.
  struct Emptiness {
    let handles: ClosedRange<UInt16>
    let connection: Int
  }

  /// What is another on a connection than on one before. How grave it is shows when the connection ends: it may be
  /// encrypted later.
  struct Change {
    let message: String
    let moment: Moment
    /// Whether a discovery has shown it, rather than what came from there.
    let isDiscovered: Bool
  }
}

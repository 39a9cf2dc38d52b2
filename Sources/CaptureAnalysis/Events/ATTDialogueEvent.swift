public import BluetoothHost
public import CaptureFiles
public import GATTKit

/// What goes over the ATT bearers of a connection, or is lost there.
public enum ATTDialogueEvent: Hashable, Sendable {
  /// A PDU, other than a notification or a command.
  case pdu(ATTDialoguePDU)
  /// A bearer with a channel of its own was closed, by its number, as the local host wanted or the peer: what waits on it
  /// will have no answer.
  case closed(bearer: Int, isByHost: Bool)
  /// Records were lost: whatever was under way may be over.
  case lost
  /// The clock took a step, of so many microseconds from the packet before: what was before is no measure for what comes.
  case clockStep(microseconds: Int64)
}

/// A PDU over an ATT bearer, as it came: it may contradict its definition.
public struct ATTDialoguePDU: Hashable, Sendable {
  /// The bearer's number among those on dynamic channels; nil for the unenhanced bearer of a Low Energy link.
  public let bearer: Int?
  /// Which way it went.
  public let direction: Direction
  /// The octets that were kept, from the opcode on; there may be none.
  public let octets: ContiguousArray<UInt8>
  /// How many were sent.
  public let length: Int
  /// The attribute that it is about, if it is about one.
  public let attribute: DialogueAttribute?

  /// What it is; nil if not even that was kept.
  public var opcode: ATTOpcode? { octets.first.map { ATTOpcode(rawValue: $0) } }
  /// Whether the capture kept fewer octets than were sent.
  public var isCut: Bool { octets.count < length }
}

/// An attribute that is spoken of, as the database tells it at that moment.
public struct DialogueAttribute: Hashable, Sendable {
  /// Its handle.
  public let handle: UInt16
  /// Its type; nil if unknown.
  public let uuid: BluetoothUUID?
  /// The characteristic that it belongs to; nil if unknown.
  public let characteristic: BluetoothUUID?
  /// The handle of that one's value; nil if unknown.
  public let valueHandle: UInt16?
  /// What may be done with that; nil if unknown.
  public let properties: CharacteristicProperties?
  /// Whether it belongs to no heart rate measurement: to another characteristic, or in a service that has none.
  public let isElsewhere: Bool
  /// Whether what it is was told before this connection, and nothing on it has borne that out: the table may have changed.
  public let isHearsay: Bool
  /// The characteristic that it declares, if it is a declaration.
  public let declares: BluetoothUUID?
  /// Whose it is.
  public let server: ServerSide
}

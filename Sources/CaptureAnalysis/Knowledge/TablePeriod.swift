import GATTKit

/// A stretch of a connection on which a server has one table: from the connection's beginning, or from where the server
/// says that its table has changed, to where it says so again.
struct TablePeriod: Hashable, Sendable {
  /// The connection's number, in order of appearance.
  let connection: Int
  let server: ServerSide
  /// The record with which it begins; nil for the connection's beginning.
  var begin: RecordPlace?
}

/// What an attribute turned out to be.
struct RevisedType: Sendable {
  /// Its type; nil if it is there no more.
  let uuid: BluetoothUUID?

  var isMeasurement: Bool { uuid == .heartRateMeasurement }
}

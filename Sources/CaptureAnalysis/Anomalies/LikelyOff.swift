import BluetoothHost

/// Writes of 0 in two octets since the last measurement, to attributes that may be its configuration.
struct LikelyOff {
  /// The first of them.
  let moment: Moment
  /// The attributes.
  private(set) var handles: [UInt16]

  /// Who hangs up switches off what few there are.
  private static let most = 8

  init(_ moment: Moment, _ handle: UInt16) { (self.moment, handles) = (moment, [handle]) }

  mutating func add(_ handle: UInt16) { if handles.count < Self.most { handles.append(handle) } }
}

extension MeasurementSeries {
  /// The attribute that a request writes as a configuration is written, and whether that switches notifications on, if it
  /// may be these measurements': nothing is told of it, it stands behind their value, and no other one is known between.
  func likelySwitch(_ pdu: ATTDialoguePDU) -> (handle: UInt16, isOn: Bool)? {
    guard pdu.opcode == .writeRequest, let written = pdu.written, written.count == 2, written.last == 0,
      let first = written.first, first <= 1, let attribute = pdu.attribute, attribute.uuid == nil,
      attribute.server == server, !attribute.isElsewhere, let handle, attribute.handle > handle,
      attribute.valueHandle ?? handle == handle
    else { return nil }
    return (attribute.handle, first == 1)
  }
}

public import Octets

/// One advertisement that was received.
@frozen public struct AdvertisingReport: ~Escapable, BitwiseCopyable {
  /// The report, up to the end of its data or behind.
  @usableFromInline let fields: OctetWindow
  @usableFromInline let layout: Layout

  /// Where things stand in a report: numbers, not cases, since of the two kinds any may come next, and what follows from
  /// each is computed without a branch.
  @frozen @usableFromInline struct Layout: BitwiseCopyable {
    /// 1 for an extended report, 0 for a legacy one.
    @usableFromInline let extended: Int

    @inlinable @inline(__always) init?(_ code: LESubeventCode) {
      let (legacy, extended) = (LESubeventCode.advertisingReport, LESubeventCode.extendedAdvertisingReport)
      // One question for both, not one for each.
      let codes: UInt32 = 1 << UInt32(legacy.rawValue) | 1 << UInt32(extended.rawValue)
      guard code.rawValue < 32, codes >> UInt32(code.rawValue) & 1 == 1 else { return nil }
      // 0x02 and 0x0D.
      self.extended = Int(code.rawValue >> 3)
    }

    @inlinable @inline(__always) var isExtended: Bool { extended != 0 }
    @inlinable @inline(__always) var headerLength: Int { 9 &+ 15 &* extended }
    /// What follows the data: the signal strength of a legacy report.
    @inlinable @inline(__always) var trailerLength: Int { 1 &- extended }
    /// Address type and address.
    @inlinable @inline(__always) var sender: Int { 1 &+ extended }
  }

  /// The report at an index; nil if it is not all there.
  @inlinable @inline(__always) @_lifetime(copy octets)
  init?(_ octets: OctetWindow, at index: Int, _ layout: Layout) {
    guard let header = OctetWindow(octets, at: index, count: layout.headerLength) else { return nil }
    let length = layout.headerLength &+ Int(header.uint8(at: layout.headerLength &- 1)) &+ layout.trailerLength
    guard let fields = OctetWindow(octets, at: index, count: length) else { return nil }
    self.fields = fields
    self.layout = layout
  }

  /// The advertising data, structure after structure.
  @inlinable public var data: OctetWindow {
    @inline(__always) @_lifetime(copy self) get {
      fields.dropping(layout.headerLength).prefix(fields.count &- layout.headerLength &- layout.trailerLength)
    }
  }

  /// Whether there is a name, or a list of services, in the data.
  @inlinable @inline(__always) public var tellsNameOrServices: Bool {
    var index = layout.headerLength
    let end = fields.count &- layout.trailerLength
    while index &+ 1 < end {
      // Length and type, in one look.
      let structure = fields.uint16(at: index)
      index &+= 1 &+ Int(structure & 0xFF)
      guard structure & 0xFF > 0, index <= end else { return false }
      if AdvertisingDataType(rawValue: UInt8(structure >> 8)).isNameOrServices { return true }
    }
    return false
  }

  /// Who advertised; the identity where the controller resolved a private address.
  public var address: DeviceAddress {
    let sender = layout.sender
    return DeviceAddress(fields, at: sender &+ 1, DeviceAddress.kind(ofType: fields.uint8(at: sender)))
  }

  /// Whether it tells no address. Core 6.0, Vol 4, Part E, 7.7.65.13.
  public var isAnonymous: Bool { fields.uint8(at: layout.sender) == 0xFF }

  /// Whether its data go on in the next report of the same advertising set.
  @inlinable @inline(__always) public var goesOn: Bool { dataStatus == 0b01 }

  /// Whether more of its data were sent that the controller did not get.
  public var isTruncated: Bool { dataStatus == 0b10 }

  /// Whether it has all that was sent.
  @inlinable @inline(__always) public var isComplete: Bool { dataStatus == 0b00 }

  /// Of a legacy report always 0: its Event_Type is one octet, and what lies behind that is not looked at.
  @inlinable @inline(__always) var dataStatus: Int {
    Int(fields.uint16(at: 0) >> 5 & 0b11) & (layout.extended &* 0b11)
  }

  /// Which of its advertising sets it is of.
  public var advertisingSet: UInt8 { layout.isExtended ? fields.uint8(at: 11) : 0 }

  /// Whether it answers a scan request: what the device advertises unasked came before it.
  public var isScanResponse: Bool {
    layout.isExtended ? fields.uint16(at: 0) & 0b1000 != 0 : fields.uint8(at: 0) == 4
  }

  /// Whether its sender takes connections; nil where the answer to a scan request does not tell.
  /// Core 6.0, Vol 4, Part E, 7.7.65.2 and 7.7.65.13.
  public var isConnectable: Bool? {
    if isScanResponse { return nil }
    let type = fields.uint8(at: 0)
    // ADV_IND and ADV_DIRECT_IND come before ADV_SCAN_IND and ADV_NONCONN_IND.
    return layout.isExtended ? type & 0b1 != 0 : type < 2
  }

  /// In dBm; nil if unknown.
  public var rssi: Int8? {
    let sent = fields.uint8(at: layout.isExtended ? 13 : fields.count &- 1)
    return sent == 127 ? nil : Int8(bitPattern: sent)
  }
}

/// The advertisements of one event, legacy or extended.
///
///     legacy      +------------+------+---------+-------------+--------+--------+
///     report      | event type | type | address | data length | data … |  RSSI  |
///                 | 1          | 1    | 6       | 1           |        |  1     |
///                 +------------+------+---------+-------------+--------+--------+
///
///     extended    +------------+------+---------+------------------+------+-------------------+-------------+--------+
///     report      | event type | type | address | PHYs, set, power | RSSI | interval, address | data length | data … |
///                 | 2          | 1    | 6       | 4                | 1    | 9                 | 1           |        |
///                 +------------+------+---------+------------------+------+-------------------+-------------+--------+
///
/// Several legacy reports in one event lie behind one another like this in practice, as controllers and hosts agree.
/// Core 6.0, Vol 4, Part E, 7.7.65.2 and 7.7.65.13.
@frozen public struct AdvertisingReports: ~Escapable, BitwiseCopyable {
  @usableFromInline let octets: OctetWindow
  /// Where the next report begins.
  @usableFromInline var index = 0
  @usableFromInline var left: Int
  @usableFromInline let layout: AdvertisingReport.Layout

  /// The reports of an LE Meta event, behind its subevent code; nil if that is another, or their number is not there.
  @inlinable @inline(__always) @_lifetime(copy parameters)
  public init?(parsing parameters: OctetWindow) {
    guard parameters.count >= 2,
      let layout = AdvertisingReport.Layout(LESubeventCode(rawValue: parameters.uint8(at: 0)))
    else { return nil }
    self.layout = layout
    left = Int(parameters.uint8(at: 1))
    octets = parameters.dropping(2)
  }

  /// The report, if there is just one and it is whole.
  @inlinable @inline(__always) public var only: AdvertisingReport? {
    @_lifetime(copy self) get { left == 1 ? AdvertisingReport(octets, at: index, layout) : nil }
  }

  /// Whether no more are to come.
  public var isAtEnd: Bool { left == 0 }

  /// The next report, if there is one and it is whole.
  @inlinable @inline(__always) @_lifetime(copy self) @_lifetime(self: copy self)
  public mutating func next() -> AdvertisingReport? {
    guard left > 0, let report = AdvertisingReport(octets, at: index, layout) else { return nil }
    left &-= 1
    index &+= report.fields.count
    return report
  }
}

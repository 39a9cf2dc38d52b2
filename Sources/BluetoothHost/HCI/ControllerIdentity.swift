import Octets

/// What a controller says of itself, by which it is told from others: adapters of other hosts have the same numbers, and so
/// has one that is put in the place of another.
public struct ControllerIdentity: Hashable, Sendable {
  /// Its public address; nil if it has not told one.
  public private(set) var address: DeviceAddress?
  /// The company identifier of its maker, as it tells itself; nil if it has not.
  public private(set) var company: UInt16?

  /// Reads what Read BD_ADDR or Read Local Version Information have returned, from where that may have been cut.
  /// Core 6.0, Vol 4, Part E, 7.4.6 and 7.4.1.
  /// - Returns: nil where the command is another one, failed, or has told nothing.
  public init?(_ complete: borrowing CommandComplete) {
    var reader = complete.returnParameters.reader("HCI Command Complete")
    guard let status = try? reader.uint8("Status"), status == HCIErrorCode.success.rawValue else { return nil }
    switch complete.opcode {
    case .readBDADDR: self.init(address: try? DeviceAddress(parsing: &reader, .public))
    case .readLocalVersionInformation:
      // HCI_Version, HCI_Subversion and LMP_Version.
      reader.skip(upTo: 4)
      self.init(company: try? reader.uint16("Company_Identifier"))
    default: return nil
    }
    if self == ControllerIdentity() { return nil }
  }

  /// What is said of one; nothing if its host has asked nothing. Zeros are no address, and the last number is nobody's.
  public init(address: DeviceAddress? = nil, company: UInt16? = nil) {
    self.address = address.flatMap { $0.number == 0 ? nil : $0 }
    self.company = company == .max ? nil : company
  }

  /// Whether it cannot be the same as another.
  public func contradicts(_ other: ControllerIdentity) -> Bool {
    Self.differ(address, other.address) || Self.differ(company, other.company)
  }

  /// Takes what is known of the same one from elsewhere as well.
  public mutating func add(_ other: ControllerIdentity) {
    address = address ?? other.address
    company = company ?? other.company
  }

  private static func differ<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
    if let one, let other { one != other } else { false }
  }
}

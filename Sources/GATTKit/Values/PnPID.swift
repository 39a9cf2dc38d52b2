public import Octets

/// Who made a device and which one it is, in numbers, characteristic 2A50.
///
///      1                  2           2            2
///     +------------------+-----------+------------+-----------------+
///     | Vendor ID Source | Vendor ID | Product ID | Product Version |
///     +------------------+-----------+------------+-----------------+
///
/// DIS 1.1, 3.9.
public struct PnPID: Hashable, Sendable {
  /// Who gave out the vendor's number.
  public struct VendorIDSource: RawRepresentable, Hashable, Sendable {
    /// The source as sent.
    public var rawValue: UInt8

    /// A source as sent, known or reserved.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The Bluetooth SIG: the vendor is one of its company identifiers.
    public static let bluetoothSIG = Self(rawValue: 1)
    /// The USB Implementer's Forum.
    public static let usbImplementersForum = Self(rawValue: 2)
  }

  /// Who gave out `vendorID`.
  public var vendorIDSource: VendorIDSource
  /// The vendor's number.
  public var vendorID: UInt16
  /// The vendor's number for the product.
  public var productID: UInt16
  /// The version in binary-coded decimal: 0x0213 is 2.1.3.
  public var productVersion: UInt16

  /// An identity of its parts.
  public init(vendorIDSource: VendorIDSource, vendorID: UInt16, productID: UInt16, productVersion: UInt16) {
    self.vendorIDSource = vendorIDSource
    self.vendorID = vendorID
    self.productID = productID
    self.productVersion = productVersion
  }

  /// The version as people write it: "2.1.3".
  public var versionText: String {
    let digits = [productVersion >> 8, productVersion >> 4 & 15, productVersion & 15]
    return digits.map { String($0, radix: 16) }.joined(separator: ".")
  }

  /// The vendor's name, if the Bluetooth SIG gave out the number and the name is known.
  public var vendorName: String? {
    vendorIDSource == .bluetoothSIG ? AssignedNumbers.companyName(vendorID) : nil
  }
}

extension PnPID.VendorIDSource: CustomStringConvertible {
  /// "Bluetooth SIG", "USB Implementer's Forum", or "reserved (3)".
  public var description: String {
    switch self {
    case .bluetoothSIG: "Bluetooth SIG"
    case .usbImplementersForum: "USB Implementer's Forum"
    default: "reserved (\(rawValue))"
    }
  }
}

extension PnPID: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "PnP ID" }

  /// Reads an identity.
  /// - Throws: `ParsingError` if there are fewer than seven octets.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    vendorIDSource = VendorIDSource(rawValue: try reader.uint8("Vendor ID Source"))
    vendorID = try reader.uint16("Vendor ID")
    productID = try reader.uint16("Product ID")
    productVersion = try reader.uint16("Product Version")
  }

  /// Appends the identity as it is sent.
  public func encode(into octets: inout [UInt8]) {
    octets.append(vendorIDSource.rawValue)
    octets.append(littleEndian: vendorID)
    octets.append(littleEndian: productID)
    octets.append(littleEndian: productVersion)
  }

  /// The identity in words.
  public var fields: [ValueField] {
    let vendor = vendorName.map { " (\($0))" } ?? ""
    return [
      ValueField("Vendor ID Source", "\(vendorIDSource)"),
      ValueField("Vendor ID", "0x\(vendorID.hexadecimal)\(vendor)"),
      ValueField("Product ID", "0x\(productID.hexadecimal)"),
      ValueField("Product Version", versionText),
    ]
  }
}

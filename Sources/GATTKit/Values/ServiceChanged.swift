public import Octets

/// The handles among which a server's database has changed, characteristic 2A05.
///
/// Core 6.0, Vol 3, Part G, 7.1.
public struct ServiceChanged: Hashable, Sendable {
  /// The first handle of which a client must forget what it knew.
  public var start: UInt16
  /// The last one; it may be less than `start` in a broken value.
  public var end: UInt16

  /// A range of handles, both ends included.
  public init(start: UInt16, end: UInt16) {
    self.start = start
    self.end = end
  }

  /// The handles of which a client must forget what it knew; nil where `end` is less than `start`, or that is 0, which is no
  /// handle.
  public var handles: ClosedRange<UInt16>? { start > 0 && start <= end ? start...end : nil }
}

extension ServiceChanged: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Service Changed" }

  /// Reads a range of handles.
  /// - Throws: `ParsingError` if there are fewer than four octets.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    start = try reader.uint16("Start of Affected Attribute Handle Range")
    end = try reader.uint16("End of Affected Attribute Handle Range")
  }

  /// Appends the range as it is sent.
  public func encode(into octets: inout [UInt8]) {
    octets.append(littleEndian: start)
    octets.append(littleEndian: end)
  }

  /// The range in words.
  public var fields: [ValueField] {
    let fault = start == 0 ? ", and 0x0000 is no handle" : handles == nil ? ", which is before it" : ""
    return [ValueField("Affected Attribute Handle Range", "0x\(start.hexadecimal) to 0x\(end.hexadecimal)\(fault)")]
  }
}

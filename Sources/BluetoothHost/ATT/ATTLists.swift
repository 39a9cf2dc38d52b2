public import GATTKit
public import Octets

// The lists in ATT PDUs, read entry by entry. Each ends at its last whole entry.

/// A range of attribute handles, both ends included.
@frozen public struct AttributeRange: Hashable, Sendable, BitwiseCopyable {
  /// The first handle.
  public let start: UInt16
  /// The last handle.
  public let end: UInt16

  /// A range from its ends.
  public init(start: UInt16, end: UInt16) {
    self.start = start
    self.end = end
  }

  /// The handles; nil if there is none between the ends, or none can be.
  public var handles: ClosedRange<UInt16>? { start > 0 && start <= end ? start...end : nil }

  /// Whether a handle lies in it.
  public func contains(_ handle: UInt16) -> Bool { start <= handle && handle <= end }

  @_lifetime(reader: copy reader)
  init(parsing reader: inout OctetReader) throws(ParsingError) {
    start = try reader.uint16("Starting Handle")
    end = try reader.uint16("Ending Handle")
  }
}

/// Handles and types, as Find Information answers. Core 6.0, Vol 3, Part F, 3.4.3.2.
@frozen public struct InformationList: ~Escapable, BitwiseCopyable {
  @usableFromInline var reader: OctetReader
  @usableFromInline let uuidLength: Int

  @_lifetime(copy entries)
  init(_ entries: CapturedOctets, uuidLength: Int) {
    reader = entries.reader("ATT")
    self.uuidLength = uuidLength
  }

  /// The next handle and its type.
  @_lifetime(self: copy self)
  public mutating func next() -> (handle: UInt16, type: BluetoothUUID)? {
    guard reader.count >= 2 + uuidLength, let handle = try? reader.uint16("Handle"),
      let type = try? BluetoothUUID(parsing: &reader, octets: uuidLength)
    else { return nil }
    return (handle, type)
  }
}

/// Ranges, as Find By Type Value answers. Core 6.0, Vol 3, Part F, 3.4.3.4.
@frozen public struct HandleRangeList: ~Escapable, BitwiseCopyable {
  @usableFromInline var reader: OctetReader

  @_lifetime(copy entries)
  init(_ entries: CapturedOctets) {
    reader = entries.reader("ATT")
  }

  /// The next range.
  @_lifetime(self: copy self)
  public mutating func next() -> AttributeRange? {
    reader.count < 4 ? nil : try? AttributeRange(parsing: &reader)
  }

  /// Whether each range lies behind the one before, as a server has to answer.
  public var isOrdered: Bool {
    var (list, last) = (self, 0)
    while let range = list.next() {
      guard Int(range.start) > last else { return false }
      last = Int(max(range.start, range.end))
    }
    return true
  }
}

/// Attribute handles and values of one length, as Read By Type and Read By Group Type answer.
/// Core 6.0, Vol 3, Part F, 3.4.4.2 and 3.4.4.10.
@frozen public struct AttributeDataList: ~Escapable, BitwiseCopyable {
  @usableFromInline var rest: CapturedOctets
  @usableFromInline let elementLength: Int

  @_lifetime(copy entries)
  init(_ entries: CapturedOctets, elementLength: Int) {
    rest = entries
    self.elementLength = elementLength
  }

  /// The next entry, handle and all; cut where the capture cut it.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func next() -> CapturedOctets? {
    guard rest.length >= elementLength, !rest.octets.isEmpty else { return nil }
    let entry = CapturedOctets(rest.octets, length: elementLength, origin: rest.origin)
    rest = rest.dropping(elementLength)
    return entry
  }

  /// Whether each handle lies behind the one before, as a server has to answer.
  public var isOrdered: Bool {
    var (list, last) = (self, 0)
    while let entry = list.next() {
      var reader = entry.reader("ATT")
      guard let handle = try? reader.uint16("Attribute Handle") else { return true }
      guard Int(handle) > last else { return false }
      last = Int(handle)
    }
    return true
  }
}

/// Handles one after another. Core 6.0, Vol 3, Part F, 3.4.4.7.
@frozen public struct HandleList: ~Escapable, BitwiseCopyable {
  @usableFromInline var reader: OctetReader

  @_lifetime(copy handles)
  init(_ handles: CapturedOctets) {
    reader = handles.reader("ATT")
  }

  /// The next handle.
  @_lifetime(self: copy self)
  public mutating func next() -> UInt16? {
    reader.count < 2 ? nil : try? reader.uint16("Attribute Handle")
  }
}

/// Handles with their values, as Multiple Handle Value Notification carries them.
/// Core 6.0, Vol 3, Part F, 3.4.7.4.
@frozen public struct HandleValueList: ~Escapable, BitwiseCopyable {
  @usableFromInline var rest: CapturedOctets
  /// Whether the last entry is not whole, and what there is of it has come.
  @usableFromInline var isBroken = false

  @_lifetime(copy entries)
  init(_ entries: CapturedOctets) {
    rest = entries
  }

  /// The next handle and value; cut where the capture cut it. Of a value that was not sent as long as its length says,
  /// what there is comes, if anything is, and the error comes next.
  /// - Throws: `ParsingError` if what is left is no whole entry as sent.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func next() throws(ParsingError) -> HandleValue? {
    guard !rest.octets.isEmpty else { return nil }
    var reader = rest.reader("ATT")
    let handle = try reader.uint16("Attribute Handle")
    let length = Int(try reader.uint16("Value Length"))
    let behind = rest.dropping(4)
    guard length <= behind.length else { return try nextBroken(handle, behind, length) }
    rest = behind.dropping(length)
    return HandleValue(handle: handle, value: CapturedOctets(behind.octets, length: length, origin: behind.origin))
  }

  @_lifetime(copy value)
  @_lifetime(self: copy self)
  private mutating func nextBroken(
    _ handle: UInt16, _ value: CapturedOctets, _ length: Int
  ) throws(ParsingError) -> HandleValue? {
    if isBroken || value.length == 0 { throw value.reader("ATT").tooShort("Attribute Value", needs: length) }
    isBroken = true
    return HandleValue(handle: handle, value: value)
  }
}

/// An attribute's handle and value.
@frozen public struct HandleValue: ~Escapable, BitwiseCopyable {
  /// The attribute.
  public let handle: UInt16
  /// Its value.
  public let value: CapturedOctets

  @_lifetime(copy value)
  init(handle: UInt16, value: CapturedOctets) {
    self.handle = handle
    self.value = value
  }
}

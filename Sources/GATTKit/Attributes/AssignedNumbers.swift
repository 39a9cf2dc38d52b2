/// The names that go with the numbers the Bluetooth SIG gives out, and with some that vendors chose for themselves.
///
/// The tables are sorted text in the program's read-only data: they cost nothing until somebody asks, and then a binary
/// search. They are as old as the releases of the databases that they come from, which the generated files name:
/// numbers given out since then have no name.
public enum AssignedNumbers {
  /// The name of a service, or of the member to whom a service UUID was given; nil if it is not known.
  public static func serviceName(_ uuid: BluetoothUUID) -> String? {
    name(of: uuid.description, in: services)
  }

  /// The name of a characteristic; nil if it is not known.
  public static func characteristicName(_ uuid: BluetoothUUID) -> String? {
    name(of: uuid.description, in: characteristics)
  }

  /// The name of a descriptor; nil if it is not known.
  public static func descriptorName(_ uuid: BluetoothUUID) -> String? {
    name(of: uuid.description, in: descriptors)
  }

  /// The name of an attribute of any kind by its type, as it stands in a server's table: a declaration's, a
  /// characteristic's, a descriptor's or a service's; nil if it is not known.
  public static func attributeName(_ uuid: BluetoothUUID) -> String? {
    declarationName(uuid) ?? characteristicName(uuid) ?? descriptorName(uuid) ?? serviceName(uuid)
  }

  private static func declarationName(_ uuid: BluetoothUUID) -> String? {
    switch uuid {
    case .primaryService: "Primary Service"
    case .secondaryService: "Secondary Service"
    case .include: "Include"
    case .characteristic: "Characteristic"
    default: nil
    }
  }

  /// The name of the company with a company identifier; nil if it is not known.
  public static func companyName(_ identifier: UInt16) -> String? {
    name(of: identifier.hexadecimal, in: companies)
  }

  // Each table is copied out of its text when it is asked for first: octets are searched much faster.
  private static let services = ContiguousArray(ServiceNames.lines.utf8)
  private static let characteristics = ContiguousArray(CharacteristicNames.lines.utf8)
  private static let descriptors = ContiguousArray(DescriptorNames.lines.utf8)
  private static let companies = ContiguousArray(CompanyNames.lines.utf8)

  /// Searches lines of "number name", sorted by their octets.
  private static func name(of number: String, in lines: ContiguousArray<UInt8>) -> String? {
    let number = ContiguousArray(number.utf8)
    var (first, last) = (0, lines.count)
    while first < last {
      // The line around the middle of what is left.
      let line = line(around: (first + last) / 2, of: lines, first..<last)
      var place = 0
      while place < number.count, line.startIndex + place < line.endIndex,
        line[line.startIndex + place] == number[place]
      {
        place += 1
      }
      let next = line.dropFirst(place).first ?? UInt8(ascii: " ")
      let isKeyOver = next == UInt8(ascii: " ")
      if isKeyOver, place == number.count { return String(decoding: line.dropFirst(place + 1), as: UTF8.self) }
      if place < number.count, isKeyOver || next < number[place] {
        first = line.endIndex + 1
      } else {
        last = line.startIndex
      }
    }
    return nil
  }

  private static func line(
    around middle: Int, of lines: ContiguousArray<UInt8>, _ range: Range<Int>
  ) -> ArraySlice<UInt8> {
    let newline = UInt8(ascii: "\n")
    var (start, end) = (middle, middle)
    while start > range.lowerBound, lines[start - 1] != newline { start -= 1 }
    while end < range.upperBound, lines[end] != newline { end += 1 }
    return lines[start..<end]
  }
}

/// The names that go with the numbers the Bluetooth SIG gives out, and with some that vendors chose for themselves.
///
/// The tables are sorted text in the program's read-only data: they cost nothing until somebody asks, and then a binary
/// search.
public enum AssignedNumbers {
  /// The name of a service, or of the member to whom a service UUID was given; nil if it is not known.
  public static func serviceName(_ uuid: BluetoothUUID) -> String? {
    name(of: uuid.description, in: ServiceNames.lines)
  }

  /// The name of a characteristic; nil if it is not known.
  public static func characteristicName(_ uuid: BluetoothUUID) -> String? {
    name(of: uuid.description, in: CharacteristicNames.lines)
  }

  /// The name of a descriptor; nil if it is not known.
  public static func descriptorName(_ uuid: BluetoothUUID) -> String? {
    name(of: uuid.description, in: DescriptorNames.lines)
  }

  /// The name of the company with a company identifier; nil if it is not known.
  public static func companyName(_ identifier: UInt16) -> String? {
    name(of: identifier.hexadecimal, in: CompanyNames.lines)
  }

  /// Searches lines of "number name", sorted by their octets.
  private static func name(of number: String, in lines: String) -> String? {
    let text = lines.utf8
    let newline = UInt8(ascii: "\n")
    var rest = text[...]
    while !rest.isEmpty {
      // The line around the middle of what is left.
      let middle = rest.index(rest.startIndex, offsetBy: rest.count / 2)
      let start = rest[..<middle].lastIndex(of: newline).map { text.index(after: $0) } ?? rest.startIndex
      let end = rest[middle...].firstIndex(of: newline) ?? rest.endIndex
      let line = rest[start..<end]
      let key = line.prefix { $0 != UInt8(ascii: " ") }
      if key.elementsEqual(number.utf8) { return String(Substring(line.dropFirst(key.count + 1))) }
      if key.lexicographicallyPrecedes(number.utf8) {
        rest = end == rest.endIndex ? rest[end...] : rest[text.index(after: end)...]
      } else {
        rest = rest[..<start]
      }
    }
    return nil
  }
}

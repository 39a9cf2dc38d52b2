import ArgumentParser

/// A size as people write it: 4G, 500M, 1048576. The letters stand for powers of 1024.
struct ByteCount: CustomStringConvertible {
  let octets: Int

  init(octets: Int) { self.octets = octets }

  private static let units: KeyValuePairs<Character, Int> = ["T": 40, "G": 30, "M": 20, "K": 10]

  /// Reads what is given on the command line.
  init(read text: String) throws {
    let unit = text.uppercased().last.flatMap { letter in Self.units.first { $0.key == letter }?.value }
    guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0,
      number <= Int.max >> (unit ?? 0)
    else { throw ValidationError("Give a size such as 4G, 500M or 1048576.") }
    octets = number << (unit ?? 0)
  }

  var description: String {
    let unit = Self.units.first { octets % (1 << $0.value) == 0 }
    return unit.map { "\(octets >> $0.value)\($0.key)" } ?? "\(octets)"
  }
}

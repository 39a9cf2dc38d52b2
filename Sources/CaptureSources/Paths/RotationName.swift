/// What tells rotated pairs: where a file lies, however its path leads there, and what it is called, without what tells
/// how it is compressed.
struct RotationName: Hashable {
  private let place: Place
  private let name: [UInt8]

  private enum Place: Hashable {
    case directory(FileIdentity)
    /// Of a directory that is not there, and of what lies in none.
    case path(FilePath)
  }

  /// What the older file of a pair has behind the newer one's name.
  private static let older = Array(".last".utf8)

  /// The name of a file, or of a member of the archive that it is.
  init(_ path: FilePath, member: String? = nil) {
    // Standard input has a path's name, and lies nowhere.
    let directory = path.isStandardInput ? path : path.directory
    place = (path.isStandardInput ? nil : FileIdentity(directory: directory)).map(Place.directory) ?? .path(directory)
    name = Self.unpacked(path.name.octets + (member.map { [0] + $0.utf8 } ?? []))
  }

  private init(_ place: Place, _ name: [UInt8]) { (self.place, self.name) = (place, name) }

  private static func unpacked(_ name: [UInt8]) -> [UInt8] {
    for ending in [".gz", ".xz", ".zst", ".bz2"] where name.ends(with: ending) {
      return name.dropLast(ending.utf8.count)
    }
    return name
  }

  /// The name of the series that it is one of, if its name is one of a series: behind that, each but the first has a number.
  var ofSeries: RotationName {
    let digits = name.reversed().prefix { (0x30...0x39).contains($0) }.count
    let rest = name.dropLast(digits)
    // Behind a zero or a slash a member's own name begins.
    guard digits > 0, rest.last == UInt8(ascii: "."), let before = rest.dropLast().last, before != 0,
      before != UInt8(ascii: "/")
    else { return self }
    return RotationName(place, Array(rest.dropLast()))
  }

  /// What the older file would be called.
  var ofOlder: RotationName { RotationName(place, name + Self.older) }

  /// What the newer file would be called; nil if this is none that could be the older one.
  var ofNewer: RotationName? {
    name.ends(with: ".last") ? RotationName(place, name.dropLast(Self.older.count)) : nil
  }
}

import Octets

/// What packs one file as a whole.
enum Packing: CaseIterable {
  case gzip, bzip2, xz, zstandard

  /// What is packed begins with it.
  var signature: [UInt8] {
    switch self {
    case .gzip: [0x1F, 0x8B, 0x08]
    case .bzip2: [0x42, 0x5A, 0x68]
    case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
    case .zstandard: [0x28, 0xB5, 0x2F, 0xFD]
    }
  }

  /// So many octets tell it.
  static let longestSignature = 10

  /// What begins here, if it is packed.
  init?(_ start: Span<UInt8>) {
    if Self.isSkippableFrame(start) {
      self = .zstandard
      return
    }
    let begun = Self.allCases.first { start.starts(with: $0.signature) }
    guard let begun, begun != .bzip2 || Self.isBzip2(start) else { return nil }
    self = begun
  }

  /// Whether a bzip2 stream begins here: its three letters may begin a text, so the mark of its first block counts too.
  private static func isBzip2(_ start: Span<UInt8>) -> Bool {
    start.count >= longestSignature
      && start.extracting(4..<10).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
  }

  /// Whether something begins here that who unpacks Zstandard passes over, as `pzstd` puts it before each frame.
  /// RFC 8878, 3.1.2.
  private static func isSkippableFrame(_ start: Span<UInt8>) -> Bool {
    start.count >= 4 && start[0] & 0xF0 == 0x50 && start.extracting(1..<4).starts(with: [0x2A, 0x4D, 0x18])
  }

  /// Whether what stands behind something that is packed is packed, too, and not padding.
  /// - Throws: `SourceError` if it is all that is there of a signature.
  func goesOn(in rest: Span<UInt8>) throws(SourceError) -> Bool {
    if !rest.isEmpty, rest.count < signature.count, rest.starts(with: Array(signature.prefix(rest.count))) {
      throw .cutOff
    }
    return Packing(rest) == self
  }

  /// A source unpacked, if it begins as what is packed; nil if it does not.
  /// - Parameters:
  ///   - source: The source; where nothing is unpacked, it is to be read on.
  ///   - budget: What counts the octets that are read; nil if they are counted elsewhere.
  static func unpacked(
    _ source: inout any OctetSource, _ budget: UnpackingBudget?
  ) throws(SourceError) -> (any OctetSource)? {
    var start = OctetBuffer(longest: 0)
    start.fill(longestSignature, from: &source)
    let packing = Packing(start.octets)
    if packing == .xz {
      start.fill(XZHeader.longest, from: &source)
      try checkMemory(start.octets)
    }
    source = wholeAgain(start.octets, source)
    guard let packing else { return nil }
    return packing == .gzip ? try InflatedSource(source, .gzip, budget) : StreamSource(source, packing, budget)
  }

  /// Who unpacks xz keeps a dictionary as long as the file says, if only there is as much in it. One of Zstandard's
  /// that is too long is refused by who unpacks it, and bzip2's and gzip's are small.
  private static func checkMemory(_ start: Span<UInt8>) throws(SourceError) {
    let length = XZHeader.dictionaryLength(start) ?? 0
    guard length <= UnpackingLimits.memory else { throw .tooMuchMemory }
  }

  private static func wholeAgain(_ start: Span<UInt8>, _ rest: any OctetSource) -> any OctetSource {
    if let file = rest as? any SeekableOctetSource, file.size != nil, file.seek(to: 0) { return file }
    return RejoinedSource(start, then: rest)
  }
}

extension OctetBuffer {
  /// Reads until it holds so many octets, or no more can be read; why not is told to who reads on.
  fileprivate mutating func fill(_ count: Int, from source: inout any OctetSource) {
    while octets.count < count, (try? fill(from: &source)) == true {}
  }
}

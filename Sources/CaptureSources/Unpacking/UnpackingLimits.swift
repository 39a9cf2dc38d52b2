/// How much may be unpacked from one input: what guards against archives that are made to exhaust whoever opens them.
public struct UnpackingLimits: Sendable {
  /// The most octets that may come out of one input, of all its members together.
  public var octets: Int
  /// How many times as large as what was read what comes out may be.
  public var ratio: Int
  /// How deep archives may lie within archives.
  public var depth: Int
  /// The most members that there may be.
  public var entries: Int

  /// The most octets of memory that what is packed may want to be unpacked with: `xz -9` wants a quarter of it.
  static let memory = 256 << 20

  /// Limits that the logs of phones stay far below.
  public init(octets: Int = 4 << 30, ratio: Int = 200, depth: Int = 2, entries: Int = 100_000) {
    self.octets = octets
    self.ratio = ratio
    self.depth = depth
    self.entries = entries
  }
}

/// What has been unpacked from one input so far, going through it once.
final class UnpackingBudget {
  private let limits: UnpackingLimits
  private let passes: UnpackingPasses?
  private var packed = 0
  private var unpacked = 0
  private var entries = 0
  /// How much had been unpacked when the open member was opened.
  private var unpackedBefore = 0
  /// How much came of members that were refused for their ratio.
  private var forgiven = 0
  private var forgivenMembers = 0
  /// Whether the open member was refused for its ratio.
  private(set) var hasRefused = false

  /// Little that unpacks to this much is no harm, whatever the ratio.
  private static let harmless = 64 << 20
  /// Each member that is refused has cost what it unpacked to.
  private static let mostForgiven = 8

  /// - Parameter passes: What counts the other times that the input is gone through.
  init(_ limits: UnpackingLimits, of passes: UnpackingPasses? = nil) {
    self.limits = limits
    self.passes = passes
  }

  /// Octets of the input itself were read.
  func notePacked(_ count: Int) { packed += count }

  /// Octets came out of it.
  func noteUnpacked(_ count: Int) throws(SourceError) {
    unpacked += count
    try passes?.noteUnpacked(count)
    guard unpacked <= limits.octets else {
      throw .tooManyOctets(limits.octets)
    }
    guard unpacked - forgiven <= max(Self.harmless, max(packed, 1).product(limits.ratio)) else {
      hasRefused = true
      throw SourceError(
        "it unpacks to more than \(limits.ratio) times its size, which may be a trap; if not, raise --max-ratio",
        .limit)
    }
  }

  /// A member was opened, of those that can be passed over without being unpacked: one that was refused before it does
  /// not count against it, unless there are many.
  func beginMember() {
    if hasRefused, forgivenMembers < Self.mostForgiven {
      forgivenMembers += 1
      forgiven += unpacked - unpackedBefore
    }
    (hasRefused, unpackedBefore) = (false, unpacked)
  }

  /// A member was found.
  func noteEntry() throws(SourceError) {
    entries += 1
    try passes?.noteEntry()
    guard entries <= limits.entries else { throw .tooManyEntries(limits.entries) }
  }
}

/// What has been unpacked of the logs in one input's texts: all of them together are no more than may come out of it,
/// however often each is read.
final class UnpackedLogs {
  let limits: UnpackingLimits
  private var unpacked = 0
  /// Octets that are kept of them as they are packed.
  private var packed = 0

  /// Octets that came out where it was tried what some were before.
  private var tried = 0

  /// More are not kept of one input.
  private static let mostPacked = 32 << 20
  /// A log has some hundred thousand, and all that a character can be are tried.
  private static let mostTried = 512 << 20

  init(_ limits: UnpackingLimits) { self.limits = limits }

  /// Octets of a log are kept.
  func notePacked(_ count: Int) throws(SourceError) {
    packed += count
    guard packed <= Self.mostPacked else {
      throw SourceError("its text holds more than \(Self.mostPacked >> 20) MiB of Bluetooth logs")
    }
  }

  /// Octets are to come out of one to see what they are.
  /// - Returns: Whether they may.
  func mayTry(_ count: Int) -> Bool {
    tried += count
    return tried <= Self.mostTried
  }

  /// Octets came out of one that had not come before.
  func noteUnpacked(_ count: Int) throws(SourceError) {
    unpacked += count
    guard unpacked <= limits.octets else { throw .tooManyOctets(limits.octets) }
  }
}

/// What has been unpacked of one input, all the times together that it was gone through.
final class UnpackingPasses {
  private let limits: UnpackingLimits
  private var unpacked = 0
  private var entries = 0

  /// As much may be unpacked as if all of it were, so many times.
  private static let most = 8

  init(_ limits: UnpackingLimits) {
    self.limits = limits
  }

  fileprivate func noteUnpacked(_ count: Int) throws(SourceError) {
    unpacked += count
    guard unpacked <= limits.octets.product(Self.most) else { throw .disorder(Self.most) }
  }

  fileprivate func noteEntry() throws(SourceError) {
    entries += 1
    guard entries <= limits.entries.product(Self.most) else { throw .disorder(Self.most) }
  }
}

extension Int {
  /// So many times as many, or as many as can be counted.
  fileprivate func product(_ times: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: times)
    return overflow ? .max : product
  }
}

extension SourceError {
  static let tooMuchMemory = SourceError(
    "it takes more than \(UnpackingLimits.memory >> 20) MiB of memory to unpack it: unpack it, and give what was in it")

  fileprivate static func tooManyOctets(_ most: Int) -> SourceError {
    SourceError("it unpacks to more than \(most) octets, which may be a trap; if not, raise --max-unpacked", .limit)
  }

  fileprivate static func tooManyEntries(_ most: Int) -> SourceError {
    SourceError("it holds more than \(most) members, which may be a trap; if not, raise --max-entries", .limit)
  }

  /// It has no more members than may be, since they have been looked at: they were gone through too often.
  fileprivate static func disorder(_ passes: Int) -> SourceError {
    SourceError(
      "its captures lie in such an order that it would be gone through more than \(passes) times; unpack it, and give "
        + "what was in it", .limit)
  }
}

import CaptureFiles

/// Finds the records that two members of a capture both hold, so that each is looked at once.
///
/// What the first member has kept since the second begins is remembered; what comes again in the second is left out.
struct MemberOverlap {
  /// How often a record has come in the member before, by what it is; only those that may come again.
  private var before: [Int: Int] = [:]
  /// The same of the member at hand.
  private var here: [Int: Int] = [:]
  /// When the next member begins; nil if there is none.
  private var nextBegins: Timestamp?
  /// How many records were left out.
  private(set) var repeated = 0

  /// More records than any log holds that is rotated. Beyond them, none is remembered.
  private static let most = 1 << 20

  /// A member begins.
  /// - Parameter nextBegins: When the one behind it does.
  mutating func beginMember(nextBegins: Timestamp?) {
    (before, here) = (here, [:])
    self.nextBegins = nextBegins
  }

  /// Whether a record has come before, in the member before.
  mutating func isRepeated(_ record: CaptureRecord, _ octets: Span<UInt8>) -> Bool {
    let mayRepeat = !before.isEmpty
    let mayComeAgain = nextBegins.map { record.time >= $0 } ?? false
    guard mayRepeat || mayComeAgain else { return false }
    let identity = Self.identity(record, octets)
    if mayRepeat, let count = before[identity] {
      before[identity] = count > 1 ? count - 1 : nil
      repeated += 1
      return true
    }
    if mayComeAgain, here.count < Self.most { here[identity, default: 0] += 1 }
    return false
  }

  /// A number that tells records apart.
  private static func identity(_ record: CaptureRecord, _ octets: Span<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(record.time)
    hasher.combine(record.content)
    hasher.combine(record.direction)
    hasher.combine(record.adapter)
    hasher.combine(record.originalLength)
    for index in octets.indices { hasher.combine(octets[index]) }
    return hasher.finalize()
  }
}

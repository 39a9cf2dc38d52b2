import CaptureAnalysis

/// Why a fuller log than a capture would tell more.
enum CaptureLack: Hashable {
  /// There is no record in it.
  case records
  /// There is no ACL data in it.
  case data
  /// Of each packet, it keeps only the beginning.
  case endsOfPackets

  /// It as a sentence about captures.
  func sentence(_ captures: Names) -> String {
    let isOne = captures.count == 1
    switch self {
    case .records:
      return "There is nothing in \(captures.all ?? "this capture")."
    case .data:
      let subject = captures.all ?? "This capture"
      return "\(subject) \(isOne ? "holds" : "hold") no ACL data, in which heart rates would be."
    case .endsOfPackets:
      return "\(captures.all ?? "This log") \(isOne ? "keeps" : "keep") only the beginning of each packet."
    }
  }
}

/// What several captures are called in a sentence.
struct Names {
  /// How many there are.
  let count: Int
  /// "a.log, b.log and 3 more"; nil where it is clear which are meant.
  let all: String?

  /// More names than this are counted: a directory may hold hundreds.
  private static let most = 3

  /// The names of captures.
  /// - Parameter areTold: Whether they are needed to know which are meant.
  init(_ names: [String], areTold: Bool) {
    count = names.count
    let told = names.count > Self.most + 1 ? Array(names.prefix(Self.most)) : names
    var pieces = told
    if names.count > told.count { pieces.append("\(TimeText.count(names.count - told.count)) more") }
    let last = pieces.count > 1 ? pieces.removeLast() : nil
    all = areTold ? pieces.joined(separator: ", ") + (last.map { " and \($0)" } ?? "") : nil
  }
}

extension CaptureFacts {
  /// Why a fuller log would tell more; nil if this one is full.
  var lack: CaptureLack? {
    if records == 0 { return .records }
    // It may be in what could not be read.
    if logsData != true { return readsAllPackets ? .data : nil }
    // What is shorter has not even a measurement's RR-Intervals.
    return keptACLOctets ?? .max < 20 ? .endsOfPackets : nil
  }
}

public import CaptureFiles

/// A capture to be read: a file, or two that are one because the phone went on in the second when the first was full.
public struct CaptureInput {
  /// The path as it was given; of a pair, the newer file's.
  public let path: String
  /// Its files, in the order of time.
  public let members: [CaptureMember]
  /// The names of the members within an archive; of a pair outside, the files'. None for a file by itself.
  public let memberNames: [String]
  /// What could not be looked into where it lies, as far as it is kept.
  public let troubles: [CaptureSurvey.Trouble]
  /// How much more could not.
  public let untoldTroubles: Int

  /// The captures in files that are given together, with each rotated pair as one, where its first file stands.
  ///
  /// `X.last` and `X` are such a pair: Android keeps no more than these two.
  public static func inputs(in surveys: [CaptureSurvey]) -> [CaptureInput] {
    let found = surveys.flatMap { survey in survey.members.map { (member: $0, survey: survey) } }
    var places: [String: Int] = [:]
    for (place, item) in found.enumerated() where places[item.member.rotationName] == nil {
      places[item.member.rotationName] = place
    }
    var olders: [Int: Int] = [:]
    var newers: [Int: Int] = [:]
    for (newer, item) in found.enumerated() where places[item.member.rotationName] == newer {
      // Of X, X.last and X.last.last, the last two are a pair for no phone.
      guard !item.member.rotationName.hasSuffix(".last"),
        let older = places[item.member.rotationName + ".last"]
      else { continue }
      (olders[newer], newers[older]) = (older, newer)
    }
    return found.enumerated().compactMap { place, item in
      if let older = olders[place] {
        return older < place ? nil : CaptureInput(pair: found[older].member, item.member, item.survey)
      }
      guard let newer = newers[place] else { return CaptureInput(item.member, item.survey) }
      return newer < place ? nil : CaptureInput(pair: item.member, found[newer].member, found[newer].survey)
    }
  }

  /// The paths in the order they are given, with those that may be rotated pairs together.
  public static func rotatedPaths(_ paths: [String]) -> [[String]] {
    var groups: [[String]] = []
    for path in paths {
      let name = CaptureMember.rotationName(path)
      let partner = groups.firstIndex { group in
        guard group.count == 1, let first = group.first else { return false }
        let other = CaptureMember.rotationName(first)
        return other == name + ".last" || name == other + ".last"
      }
      if let partner { groups[partner].append(path) } else { groups.append([path]) }
    }
    return groups
  }

  /// Whether it can be read a second time: what came through a pipe cannot.
  public var canBeReadAgain: Bool { members.allSatisfy(\.canBeReadAgain) }

  /// When a member begins, so far as that is known.
  public func begins(_ member: Int) -> Timestamp? {
    member < members.count ? members[member].firstTime : nil
  }

  private init(_ member: CaptureMember, _ survey: CaptureSurvey) {
    path = member.path
    members = [member]
    memberNames = member.name.map { [$0] } ?? []
    troubles = survey.troubles
    untoldTroubles = survey.troubleCount - survey.troubles.count
  }

  private init(pair older: CaptureMember, _ newer: CaptureMember, _ survey: CaptureSurvey) {
    path = newer.path
    var isSwapped = false
    if let first = newer.firstTime, let second = older.firstTime { isSwapped = first < second }
    members = isSwapped ? [newer, older] : [older, newer]
    memberNames = members.map { $0.name ?? $0.fileName }
    troubles = survey.troubles
    untoldTroubles = survey.troubleCount - survey.troubles.count
  }
}

extension CaptureMember {
  /// The name that tells rotated pairs: where it lies, without what tells how it is compressed.
  fileprivate var rotationName: String { Self.rotationName(name.map { "\(path)\0\($0)" } ?? path) }

  fileprivate static func rotationName(_ whole: String) -> String {
    for ending in [".gz", ".xz", ".zst", ".bz2"] where whole.hasSuffix(ending) {
      return String(whole.dropLast(ending.count))
    }
    return whole
  }

  /// The last part of its path.
  fileprivate var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }
}

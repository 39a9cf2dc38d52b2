public import CaptureFiles

/// A capture to be read: a file, or two that are one because the phone went on in the second when the first was full.
public struct CaptureInput {
  /// The path as it was given; of a pair, the newer file's.
  public let path: FilePath
  /// Its files, in the order of time.
  public private(set) var members: [CaptureMember]
  /// What could not be looked into where it lies, as far as it is kept: the first of the captures that lie there tells it.
  public let troubles: [CaptureSurvey.Trouble]
  /// How much more could not.
  public let untoldTroubles: Int

  /// The captures in files that are given together, with each rotated pair as one, where its first file stands.
  ///
  /// `X.last` and `X` are such a pair: Android keeps no more than these two.
  public static func inputs(in surveys: [CaptureSurvey]) -> [CaptureInput] {
    let found = surveys.flatMap { survey in
      survey.members.enumerated().map { place, member in
        (member: member, survey: place == 0 ? survey : nil, name: RotationName(member.path, member: member.name))
      }
    }
    var places: [RotationName: Int] = [:]
    for (place, item) in found.enumerated() where places[item.name] == nil { places[item.name] = place }
    var olders: [Int: Int] = [:]
    var newers: [Int: Int] = [:]
    for (newer, item) in found.enumerated() where places[item.name] == newer {
      // Of X, X.last and X.last.last, the last two are a pair for no phone.
      guard item.name.ofNewer == nil, let older = places[item.name.ofOlder] else { continue }
      (olders[newer], newers[older]) = (older, newer)
    }
    return found.enumerated().compactMap { place, item in
      if let older = olders[place] {
        return older < place ? nil : CaptureInput(item.member, after: found[older].member, item.survey)
      }
      guard let newer = newers[place] else { return CaptureInput(item.member, item.survey) }
      let survey = item.survey ?? found[newer].survey
      return newer < place ? nil : CaptureInput(found[newer].member, after: item.member, survey)
    }
  }

  /// The paths in the order they are given, with those that may be rotated pairs together.
  public static func rotatedPaths(_ paths: [FilePath]) -> [[FilePath]] {
    var groups: [[FilePath]] = []
    // Where there are groups of one path, by its name.
    var alone: [RotationName: [Int]] = [:]
    for path in paths {
      let name = RotationName(path)
      let others = [name.ofOlder, name.ofNewer].compactMap(\.self)
      let places = others.compactMap { other in alone[other]?.first.map { (other: other, group: $0) } }
      if let partner = places.min(by: { $0.group < $1.group }) {
        groups[partner.group].append(path)
        alone[partner.other]?.removeFirst()
      } else {
        alone[name, default: []].append(groups.count)
        groups.append([path])
      }
    }
    return groups
  }

  /// The names of the members within an archive; of a pair outside, the files'. None for a file by itself.
  public var memberNames: [String] {
    members.compactMap { $0.name ?? (members.count > 1 ? "\($0.path.name)" : nil) }
  }

  /// Whether it can be read a second time: what came through a pipe and was not kept cannot.
  public var canBeReadAgain: Bool { members.allSatisfy(\.canBeReadAgain) }

  /// Whether files or archives stay open as long as it is kept: all that lies in no file by itself.
  public var staysOpen: Bool { members.contains(where: \.staysOpen) }

  /// Whether it lies in one archive with another, so that to keep both keeps no more open than to keep one, and each can be
  /// opened without unpacking what lies before it.
  public func sharesArchive(with other: CaptureInput) -> Bool {
    guard let archive = members.first?.quickArchive else { return false }
    return (members + other.members).allSatisfy { $0.quickArchive === archive }
  }

  /// The same input; what comes through a pipe is kept, to be read again, the beginning of it at once.
  public func kept() -> CaptureInput {
    var kept = self
    kept.members = members.map { $0.kept() }
    return kept
  }

  /// When a member begins, so far as that is known.
  public func begins(_ member: Int) -> Timestamp? {
    member < members.count ? members[member].firstTime : nil
  }

  /// A file, or a pair: the names say which of the two is the older one, unless that begins only when the other has
  /// ended. Where the newer one merely begins first, the clock was set back.
  private init(_ newer: CaptureMember, after older: CaptureMember? = nil, _ survey: CaptureSurvey?) {
    path = newer.path
    members = [older, newer].compactMap(\.self)
    if let first = newer.firstTime, let second = older?.firstTime, first < second,
      let end = newer.lastTime(), end <= second
    {
      members.reverse()
    }
    troubles = survey?.troubles ?? []
    untoldTroubles = survey.map { $0.troubleCount - $0.troubles.count } ?? 0
  }
}

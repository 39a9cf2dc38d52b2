/// An archive whose members are opened when they are wanted. Asked for in their order, they cost one pass through the
/// archive for each time that all of them are read.
final class ArchiveAccess {
  private let root: () throws(SourceError) -> any OctetSource
  private let limits: UnpackingLimits
  private let passes: UnpackingPasses
  /// The ways that are being gone, the one that was gone last at the end.
  private var courses: [ArchiveCourse] = []
  /// Whether none of its members, as far as they have been looked at, must be unpacked to be passed over.
  var skipsForFree = true

  /// A capture is read twice where it is shown as it comes, and so is each file of a rotated pair, which may lie the
  /// wrong way round: four ways through the archive, of which none ever goes back.
  private static let mostCourses = 4

  init(_ limits: UnpackingLimits, root: @escaping () throws(SourceError) -> any OctetSource) {
    self.root = root
    self.limits = limits
    passes = UnpackingPasses(limits)
  }

  /// Opens a member. What was opened before is read no further.
  func open(_ steps: [Int]) throws(SourceError) -> any OctetSource {
    var course: ArchiveCourse
    if let known = takeCourse(to: steps) {
      course = known
    } else {
      course = try ArchiveCourse(try root(), UnpackingBudget(limits, of: passes))
    }
    let member = try course.go(to: steps)
    courses.append(course)
    return member
  }

  /// The way that has come closest to a member and not passed it; nil if there is none.
  private func takeCourse(to steps: [Int]) -> ArchiveCourse? {
    let leading = courses.indices.filter { courses[$0].leads(to: steps) }
    if let closest = leading.max(by: { courses[$0].place.lexicographicallyPrecedes(courses[$1].place) }) {
      return courses.remove(at: closest)
    }
    if courses.count == Self.mostCourses { courses.removeFirst() }
    return nil
  }
}

/// A way through an archive, and through those in it, which only goes on.
private struct ArchiveCourse {
  /// The archives that are open, from the outermost inwards.
  private var chain: [ArchiveReader]
  private let budget: UnpackingBudget

  init(_ root: any OctetSource, _ budget: UnpackingBudget) throws(SourceError) {
    chain = [try ArchiveReader(root, isOutermost: true, budget)]
    self.budget = budget
  }

  /// The open member of each archive.
  var place: [Int] { chain.map(\.index) }

  /// Whether a member lies further on.
  func leads(to steps: [Int]) -> Bool {
    zip(place, steps).first { $0 != $1 }.map { $0 < $1 } ?? false
  }

  /// Opens a member that lies further on.
  mutating func go(to steps: [Int]) throws(SourceError) -> ArchiveMember {
    let shared = zip(place, steps).prefix { $0 == $1 }.count
    chain.removeSubrange(min(shared + 1, chain.count)...)
    for level in chain.count - 1..<steps.count {
      if level == chain.count {
        chain.append(try ArchiveReader(ArchiveMember(chain[level - 1]), isOutermost: false, budget))
      }
      while chain[level].index < steps[level] {
        guard try chain[level].next() != nil else { throw SourceError("it has changed since it was looked into") }
      }
    }
    return ArchiveMember(chain[steps.count - 1])
  }
}

import CaptureAnalysis
import CaptureSources

/// A side of a comparison as someone asks for it.
struct SideRequest {
  /// What it is to be called; nil for the sensor's own name.
  let title: String?
  let members: [Member]

  /// Where captures are, and which sensor of each is meant.
  struct Member {
    let path: FilePath
    var choice = SensorChoice.automatic
  }

  /// A side that is one path.
  init(path: FilePath) {
    title = nil
    members = [Self.member(path)]
  }

  /// A side of several paths: "polar=a.log,b.log"; nil if it is not written so.
  init?(group: FilePath) {
    let parts = group.octets.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    let paths = parts[1].split(separator: UInt8(ascii: ","))
    guard !paths.isEmpty else { return nil }
    title = String(decoding: parts[0], as: UTF8.self)
    members = paths.map { Self.member(FilePath(octets: $0)) }
  }

  /// A path, and behind a colon which sensor is meant: a file may have colons in its name, an address has.
  private static func member(_ whole: FilePath) -> Member {
    guard !whole.isStandardInput, !InputPaths.exists(whole) else { return Member(path: whole) }
    let octets = whole.octets
    for colon in octets.indices where octets[colon] == UInt8(ascii: ":") {
      let path = FilePath(octets: octets.prefix(colon))
      let choice = String(decoding: octets.dropFirst(colon + 1), as: UTF8.self)
      guard !choice.isEmpty, path.isStandardInput || InputPaths.exists(path) else { continue }
      if let number = Int(choice), number > 0 { return Member(path: path, choice: .connection(number)) }
      return Member(path: path, choice: .device(DeviceQuery(choice)))
    }
    return Member(path: whole)
  }
}

/// Reads the sides of a comparison.
struct SideRun {
  /// More columns no terminal shows.
  static let mostSides = 26

  let isQuiet: Bool
  let limits: UnpackingLimits
  /// Which part of each capture counts, and which sensor is meant where a path does not say.
  let filter: EventFilter
  let knowledge: CaptureKnowledge
  let rules: RuleSettings

  /// Reads them all.
  /// - Parameter failures: Takes why parts of them could not be read.
  /// - Returns: Those that could be read, and why others could not.
  func sides(
    _ requests: [SideRequest], _ failures: inout [InputError]
  ) -> (sides: [SensorBehaviour], unread: [InputError]) {
    var (sides, unread): ([SensorBehaviour], [InputError]) = ([], [])
    for request in requests {
      do throws(InputError) {
        if requests.count == 1, request.members.count == 1, let member = request.members.first {
          guard case .automatic = choice(member.choice) else {
            _ = try side(request, &failures)
            throw InputError(path: member.path, message: "one sensor of it is chosen: give a second capture to compare")
          }
          sides = try allSensors(of: member, &failures)
        } else {
          sides.append(try side(request, &failures))
        }
      } catch {
        unread.complain(error)
      }
    }
    return (sides, unread)
  }

  private func side(
    _ request: SideRequest, _ failures: inout [InputError]
  ) throws(InputError) -> SensorBehaviour {
    var connections: [SensorBehaviour.SideConnection] = []
    var title = request.title
    var unread: [InputError] = []
    for member in request.members {
      do throws(InputError) {
        let side = try side(member, &failures)
        connections += side.connections
        title = title ?? side.title
      } catch {
        unread.append(error)
      }
    }
    // The others of a group still stand for it.
    try tell(unread, isNothingLeft: connections.isEmpty, &failures)
    return SensorBehaviour(title: title ?? "", connections: connections)
  }

  private func side(
    _ member: SideRequest.Member, _ failures: inout [InputError]
  ) throws(InputError) -> SensorBehaviour {
    let captures = try captures(of: member.path, &failures)
    do throws(SensorChoice.Problem) {
      return try choice(member.choice).side(of: captures)
    } catch {
      throw InputError(path: member.path, message: error.description)
    }
  }

  /// One path by itself: the sensors in it are compared with one another.
  private func allSensors(
    of member: SideRequest.Member, _ failures: inout [InputError]
  ) throws(InputError) -> [SensorBehaviour] {
    let sides = SensorChoice.allSides(of: try captures(of: member.path, &failures))
    guard sides.count <= Self.mostSides else {
      throw InputError(
        path: member.path,
        message: "\(sides.count) heart rate sensors are in it: no more than \(Self.mostSides) sides can be compared")
    }
    guard sides.count > 1 else {
      throw InputError(
        path: member.path,
        message:
          "\(sides.isEmpty ? "no heart rate sensor is" : "only one heart rate sensor is") in it: give a second capture to compare"
      )
    }
    return sides
  }

  private func choice(_ choice: SensorChoice) -> SensorChoice {
    guard case .automatic = choice else { return choice }
    if let number = filter.connection { return .connection(number, with: filter.device) }
    return filter.device.map { .device($0) } ?? .automatic
  }

  /// All captures of a path that can be read; why others in it cannot is told, and added to what failed.
  private func captures(
    of path: FilePath, _ failures: inout [InputError]
  ) throws(InputError) -> [ComparedCapture] {
    var unread: [InputError] = []
    var part = filter
    // Which sensor is meant is decided when all is read.
    (part.device, part.connection) = (nil, nil)
    // Each side by itself: what another capture tells of a sensor may be what has changed.
    let run = CaptureRun(isQuiet: isQuiet, limits: limits)
    let captures = run.results(of: [path]) { capture -> ComparedCapture? in
      do throws(InputError) {
        let input = try capture.get()
        let recorder = BehaviourRecorder(part, rules: rules)
        let facts = try run.readStreaming(input, into: recorder.receiver, knowing: knowledge)
        return recorder.capture(path: "\(input.path)", memberNames: input.memberNames, facts: facts)
      } catch {
        unread.append(error)
        return nil
      }
    }
    let read = captures.compactMap { $0 }
    try tell(unread, isNothingLeft: read.isEmpty, &failures)
    return read
  }

  /// Tells why some of several could not be read, and adds it to what failed.
  /// - Throws: The last of the errors, untold, where nothing is left that could be read.
  private func tell(
    _ unread: [InputError], isNothingLeft: Bool, _ failures: inout [InputError]
  ) throws(InputError) {
    var told = unread
    let last = isNothingLeft ? told.popLast() : nil
    for error in told { failures.complain(error) }
    if let last { throw last }
  }
}

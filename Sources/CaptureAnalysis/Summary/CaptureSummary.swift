/// What a report says of one capture.
public struct CaptureSummary: Sendable {
  /// The path as it was given.
  public var path: String
  /// The names of its files within an archive; of a rotated pair outside, the files' names. None for a file by itself.
  public var memberNames: [String] = []
  /// Which capture it is.
  public var origin: CaptureOrigin { CaptureOrigin(path: path, memberNames: memberNames) }
  /// The capture as a whole.
  public var facts: CaptureFacts
  /// Its connections, in the order they appeared.
  public var connections: [ConnectionSummary]
  /// Heart rate sensors that advertised.
  public var advertisers: [AdvertisementEvent]
  /// What should be known of it.
  public var findings: [Finding] { didSet { findingPlaces = FindingPlaces(findings) } }
  /// Where the findings of each connection stand.
  private(set) var findingPlaces: FindingPlaces
  /// Connections beyond those that are listed.
  public var unlistedConnections = 0
  /// Connections that a filter left out.
  public var hiddenConnections: [HiddenConnection] = []
  /// Whether a filter was asked for, whatever it leaves.
  var isFiltered = false
  /// The part of the capture that it is about; nil if that is all.
  public var part: ShownPart?
  /// Whether no rule was left out.
  var asksAllRules = true
  /// The connections at which no rule looked.
  var unwatched: Set<Int> = []

  init(
    path: String, memberNames: [String], facts: CaptureFacts, connections: [ConnectionSummary],
    advertisers: [AdvertisementEvent], findings: [Finding], unlistedConnections: Int
  ) {
    (self.path, self.memberNames, self.facts) = (path, memberNames, facts)
    (self.connections, self.advertisers, self.unlistedConnections) = (connections, advertisers, unlistedConnections)
    self.findings = findings
    findingPlaces = FindingPlaces(findings)
  }
}

extension CaptureSummary {
  /// What went wrong on a connection.
  public func story(of connection: ConnectionSummary) -> Story {
    var story = Story(
      of: findingPlaces[connection.id], in: findings, outside: part?.findingsOutside[connection.id])
    story.isOfAllRules = asksAllRules
    story.hasMeasurements = connection.hasMeasurements || connection.heartRate == nil
    if let statistics = connection.heartRate?.statistics {
      story.cutRates = (statistics.cutRates, statistics.measurements - statistics.malformed)
    }
    story.wasWatched = !unwatched.contains(connection.id)
    if story.severity == nil {
      story.circumstance = findingPlaces.circumstances.first { lies(findings[$0], in: connection) }.map { findings[$0] }
      story.toldEarlier = findingPlaces.ofSeveral.last { tells(of: connection, findings[$0]) }.map { findings[$0] }
    }
    return story
  }

  /// The story of the first connection that has one of the gravest findings, or of the capture as a whole; nil if nothing
  /// is unusual.
  public var gravestStory: Story? {
    guard let gravest = findings.max(by: { $0.severity < $1.severity }), gravest.severity > .info else { return nil }
    return Story(of: findingPlaces[gravest.connection], in: findings)
  }

  /// Whether a filter leaves no connection.
  public var isEmptyByFilter: Bool { connections.isEmpty && isFiltered }

  /// Whether what is found began or ended while a connection was open.
  private func lies(_ finding: Finding, in connection: ConnectionSummary) -> Bool {
    [finding.beginning, finding.ending].contains { moment in
      connection.first <= moment && connection.closed.map { moment <= $0 } ?? true
    }
  }

  /// Whether a finding that stands with an earlier connection to the same peer is about a connection, too.
  private func tells(of connection: ConnectionSummary, _ finding: Finding) -> Bool {
    guard let earlier = finding.connection, earlier < connection.id, connection.first <= finding.ending,
      finding.beginning <= connection.closed ?? connection.first
    else { return false }
    return place(of: earlier).flatMap { connections[$0].lastingAddress } == connection.lastingAddress
  }

  /// Where a connection stands: they are in the order of their numbers.
  private func place(of connection: Int) -> Int? {
    let place = connections.firstPlace { $0.id >= connection }
    return place < connections.count && connections[place].id == connection ? place : nil
  }

  /// What a connection's sensor advertised; nil if it did not, or is the local host.
  func advertisement(of connection: ConnectionSummary) -> AdvertisementEvent? {
    guard connection.server == .peer else { return nil }
    return advertisers.first { $0.address == connection.address }
      ?? advertisers.last { $0.address == connection.privateAddress }
      ?? advertisers.last { $0.identity != nil && $0.identity == connection.identity }
  }

  /// Heart rate sensors that advertised and were not connected, whatever a filter shows of connections.
  public var unconnectedAdvertisers: [AdvertisementEvent] {
    let connected = Set(
      connections.flatMap { [$0.address, $0.identity, $0.privateAddress] }
        + hiddenConnections.flatMap { [$0.address, $0.usedAddress, $0.privateAddress] })
    return advertisers.filter {
      !connected.contains($0.address) && ($0.identity == nil || !connected.contains($0.identity))
    }
  }
}

public import BluetoothHost
import CaptureFiles
import GATTKit

/// One side of a comparison: how a sensor behaved, on one connection or on several, in one capture or in several.
public struct SensorBehaviour: Sendable {
  /// What the side is called.
  public let title: String
  /// Its connections, each with the capture it is from.
  public let connections: [SideConnection]
  /// The measurements of all of them.
  let series: MeasurementSample

  /// A connection of a side.
  public struct SideConnection: Sendable {
    /// The capture it is from.
    public let capture: CaptureOrigin
    /// What the clock of its capture reads.
    public let facts: CaptureFacts
    /// The connection.
    public let summary: ConnectionSummary
    /// The same with what a filter leaves out.
    let whole: ConnectionSummary
    /// What is unusual about it.
    public let findings: [Finding]
    let advertisement: AdvertisementEvent?
    let behaviour: ConnectionBehaviour

    /// How long it is in the capture, in seconds, without leaps of the clock; nil where that cannot be told.
    var duration: Double? {
      summary.closed.map { facts.seconds(from: summary.first, to: $0) } ?? facts.secondsToEnd(from: summary.first)
    }

    /// What was asked of the sensor.
    var asked: ServerBehaviour { behaviour[summary.server] }
  }

  /// A side from its connections, and what it is to be called.
  public init(title: String, connections: [SideConnection]) {
    self.title = title
    self.connections = connections
    series = MeasurementSample(connections.compactMap(\.summary.heartRate))
  }

  /// The captures that they are from, in their order.
  public var captures: [CaptureOrigin] {
    connections.reduce(into: []) { if !$0.contains($1.capture) { $0.append($1.capture) } }
  }

  /// Whether parts of packets were not kept: what these would show is not told.
  var hasCutPackets: Bool { connections.contains { $0.facts.truncatedRecords > 0 } }

  /// "connection 3", "connections 1, 4 and 5", "connections 1, 4, 5, 6, 7 and 12 more".
  public var connectionWords: String { Self.words(connections) }

  /// The same of those that are from one capture.
  public func connectionWords(in capture: CaptureOrigin) -> String {
    Self.words(connections.filter { $0.capture == capture })
  }

  private static func words(_ connections: [SideConnection]) -> String {
    let numbers = connections.map { "\($0.summary.id)" }
    guard let last = numbers.last, numbers.count > 1 else { return "connection \(numbers.first ?? "none")" }
    let isLong = numbers.count > mostNamed
    let named = isLong ? numbers.prefix(mostNamed - 1) : numbers.dropLast()
    let end = isLong ? "\(numbers.count - named.count) more" : last
    return "connections \(named.joined(separator: ", ")) and \(end)"
  }

  /// More connections than these are only counted.
  private static let mostNamed = 6

  /// What the side's sensor has told of itself: each of several captures holds but a part.
  public var sensor: DeviceFacts { DeviceFacts(of: connections.map(\.summary.sensor)) }

  /// The sensor's address; nil if it is not known, or the sensor is the local host.
  public var address: DeviceAddress? {
    connections.last.flatMap { $0.summary.server == .peer ? $0.summary.address : nil }
  }
  /// Its lasting address, where the one it uses is private and the capture tells.
  public var identity: DeviceAddress? {
    connections.last.flatMap { $0.summary.server == .peer ? $0.summary.identity : nil }
  }

  /// What the sensor was seen to do and to have on the connection that shows most of it, and what it has told of itself on
  /// any; nil for a side without one.
  public var traits: SensorTraits? {
    connections.showingMost(\.summary).map {
      SensorTraits($0.summary, of: sensor, advertisement: $0.advertisement)
    }
  }

  /// The sensor's services, of the connection that shows most of them; nil if none shows any, or the capture cut types
  /// away: then it cannot be told what is not there.
  var services: [GATTService]? {
    guard let most = tables.max(by: { $0.count < $1.count }) else { return nil }
    return Self.isTold(most) ? most : nil
  }

  /// The tables of its connections, as far as no types in them were cut away: firmware may change from one to the next.
  var toldTables: [[GATTService]] { tables.filter(Self.isTold) }

  private var tables: [[GATTService]] { Self.tables(of: connections) }

  /// Those of connections on which no search for services or characteristics broke off, as at the end of a log.
  private var searchedTables: [[GATTService]] { Self.tables(of: connections.filter { !$0.asked.isSearching }) }

  private static func tables(of connections: [SideConnection]) -> [[GATTService]] {
    connections.map { $0.summary.services($0.summary.server) }.filter { !$0.isEmpty }
  }

  private static func isTold(_ table: [GATTService]) -> Bool {
    table.allSatisfy { $0.uuid != nil && $0.characteristics.allSatisfy { $0.uuid != nil } }
  }

  /// The tables of connections that show all services: GAP's, which every server has, is among them.
  var wholeTables: [[GATTService]] {
    searchedTables.filter { table in
      table.contains { $0.uuid == .gapService } && table.allSatisfy { $0.uuid != nil }
    }
  }

  /// Whether it is told which services it has not: a host that did not find GAP's has looked for some services only.
  var tellsAllServices: Bool { hasService(.gapService) && !wholeTables.isEmpty }

  /// Whether it is told to have a service.
  func hasService(_ uuid: BluetoothUUID) -> Bool { services?.contains { $0.uuid == uuid } ?? false }

  /// Whether it is told which characteristics it has not in a service: a host may look into some services only, or ask for
  /// the value of one type.
  func tellsCharacteristics(of service: BluetoothUUID?) -> Bool {
    let found = searchedTables.joined().filter { $0.uuid == service }
    let isUnsearched = found.isEmpty && (services ?? []).contains { $0.uuid == service }
    return isUnsearched ? false : found.isEmpty ? tellsAllServices : found.contains(where: \.hasDeclarations)
  }

  /// Whether it is told to have no characteristic of a type in its service.
  func lacks(_ uuid: BluetoothUUID, of service: BluetoothUUID) -> Bool {
    tellsCharacteristics(of: service) && !toldTables.joined().flatMap(\.characteristics).contains { $0.uuid == uuid }
  }
}

extension GATTService {
  /// Whether anybody has looked for its characteristics, and found some.
  fileprivate var hasDeclarations: Bool { characteristics.contains { $0.declaration != nil } }
}

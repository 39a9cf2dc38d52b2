import BluetoothHost

/// Which sensor of a capture is meant.
public enum SensorChoice: Sendable {
  /// The only one there is.
  case automatic
  /// That of a connection, by its number, which has to be with a device if one is given.
  case connection(Int, with: DeviceQuery? = nil)
  /// A device, by its address or a part of its name.
  case device(DeviceQuery)

  /// Why no sensor, or no single one, is meant.
  public struct Problem: Error, CustomStringConvertible, Sendable {
    /// In a sentence, with what to do.
    public let description: String
  }

  /// The connections of the sensor that is meant.
  /// - Parameter captures: All captures of one side. A sensor in several of them is one.
  /// - Throws: `Problem` if no sensor is meant, or several are.
  public func side(of captures: [ComparedCapture]) throws(Problem) -> SensorBehaviour {
    let sensors = Self.sensors(in: captures)
    let wanted = sensors.filter(matches)
    if case .connection(let number, let device) = self {
      guard captures.count == 1 else {
        throw Problem(
          description: "there are \(captures.count) captures in it, so that connection \(number) is in doubt")
      }
      let connections = wanted.first?.connections.filter { $0.summary.id == number } ?? []
      guard let connection = connections.first else {
        throw Problem(
          description: "there is no connection \(number) in it: they are numbered from 1, as analyze shows them")
      }
      if let device, !wanted.contains(where: SensorChoice.device(device).matches) {
        let list = Self.existing(sensors, of: captures)
        throw Problem(description: "connection \(number) in it is not with such a device: \(list)")
      }
      return SensorBehaviour(title: Self.title([connection]), connections: [connection])
    }
    let measuring = wanted.filter { $0.connections.contains { $0.summary.heartRate != nil } }
    // A sensor whose heart rate was not found may be compared all the same, if it is meant.
    let candidates = measuring.isEmpty ? wanted : measuring
    guard candidates.count <= 1 else {
      let what = measuring.isEmpty ? "no heart rate is in it; there are" : "\(candidates.count) sensors are in it,"
      let number = captures.count > 1 ? "" : "PATH:N (the number of a connection), "
      let list = Self.list(candidates, of: captures)
      throw Problem(description: "\(what) \(list): choose one with \(number)PATH:NAME or PATH:ADDRESS")
    }
    guard let sensor = candidates.first else { throw Problem(description: nothing(among: sensors, of: captures)) }
    return SensorBehaviour(title: sensor.title, connections: sensor.connections)
  }

  /// Every heart rate sensor of captures.
  public static func allSides(of captures: [ComparedCapture]) -> [SensorBehaviour] {
    sensors(in: captures).filter { $0.connections.contains { $0.summary.heartRate != nil } }
  }

  private func matches(_ sensor: SensorBehaviour) -> Bool {
    switch self {
    case .automatic: true
    case .connection(let number, _): sensor.connections.contains { $0.summary.id == number }
    case .device(let device):
      sensor.connections.contains { connection in
        let summary = connection.summary
        return summary.server == .peer
          ? device.matches(summary)
          : device.matches(address: nil, name: summary.local.name)
      }
    }
  }

  private func nothing(among sensors: [SensorBehaviour], of captures: [ComparedCapture]) -> String {
    if case .device = self, !sensors.isEmpty {
      return "no such device in it: \(Self.existing(sensors, of: captures))"
    }
    return "no connection in it: there is nothing to compare"
  }

  /// "there is Polar H7 (connection 1)".
  private static func existing(_ sensors: [SensorBehaviour], of captures: [ComparedCapture]) -> String {
    "there \(sensors.count == 1 ? "is" : "are") \(list(sensors, of: captures))"
  }

  /// "Polar H7 (connection 1); TICKR (connection 2)"; of several captures, which each number their connections from 1,
  /// with addresses.
  private static func list(_ sensors: [SensorBehaviour], of captures: [ComparedCapture]) -> String {
    let names = sensors.prefix(mostListed).map { sensor in
      let mark = captures.count > 1 ? sensor.address?.description : sensor.connectionWords
      return mark.flatMap { $0 == sensor.title ? nil : "\(sensor.title) (\($0))" } ?? sensor.title
    }
    return names.joined(separator: "; ") + (sensors.count > mostListed ? "; and others" : "")
  }

  private static let mostListed = 6
}

// MARK: - Who is who

extension SensorChoice {
  /// What makes two connections ones of the same sensor.
  private struct Identity: Hashable {
    let address: DeviceAddress?
    let server: ServerSide
    let adapter: UInt16
    /// Where no address is known, each connection of each capture stands alone.
    let alone: Alone?

    struct Alone: Hashable {
      let capture: Int
      let connection: Int
    }
  }

  private static func sensors(in captures: [ComparedCapture]) -> [SensorBehaviour] {
    var order: [Identity] = []
    var connections: [Identity: [SensorBehaviour.SideConnection]] = [:]
    for (index, capture) in captures.enumerated() {
      for connection in capture.summary.connections {
        // What the local host is as a sensor does not depend on who asks it.
        let address = connection.server == .peer ? connection.lastingAddress : nil
        let isAlone = address == nil && connection.server == .peer
        let identity = Identity(
          address: address, server: connection.server, adapter: connection.server == .peer ? 0 : connection.adapter,
          alone: isAlone ? Identity.Alone(capture: index, connection: connection.id) : nil)
        if connections[identity] == nil { order.append(identity) }
        connections[identity, default: []].append(side(connection, of: capture))
      }
    }
    return order.compactMap { identity in
      connections[identity].map { SensorBehaviour(title: title($0), connections: $0) }
    }
  }

  private static func side(_ connection: ConnectionSummary, of capture: ComparedCapture)
    -> SensorBehaviour.SideConnection
  {
    SensorBehaviour.SideConnection(
      capture: capture.summary.origin, facts: capture.summary.facts, summary: connection,
      whole: capture.whole[connection.id] ?? connection,
      findings: capture.summary.findingPlaces[connection.id].map { capture.summary.findings[$0] },
      advertisement: capture.summary.advertisement(of: connection),
      behaviour: capture.behaviour(of: connection))
  }

  /// What one sensor's connections, of which there is one at least, are called together.
  private static func title(_ connections: [SensorBehaviour.SideConnection]) -> String {
    let last = connections[connections.count - 1].summary
    return DeviceFacts(of: connections.map(\.summary.sensor)).name
      ?? (last.server == .local ? "this device" : last.address?.description) ?? "connection \(last.id)"
  }
}

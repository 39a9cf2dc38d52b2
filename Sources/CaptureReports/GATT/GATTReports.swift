import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit

/// A server and what is known of its database, for `gatt`.
struct GATTServer {
  let side: ServerSide
  let connection: ConnectionSummary

  /// The servers in a capture: each peer of each adapter once, as its last connection knew it, and the adapters' own.
  static func servers(in summary: CaptureSummary) -> [GATTServer] {
    var servers: [GATTServer] = []
    var places: [ConnectedDevice: Int] = [:]
    for connection in summary.connections {
      for side in ServerSide.allCases where !connection.services(side).isEmpty {
        let server = GATTServer(side: side, connection: connection)
        if let place = server.owner.flatMap({ places[$0] }) {
          servers[place] = server
        } else {
          if let owner = server.owner { places[owner] = servers.count }
          servers.append(server)
        }
      }
    }
    return servers
  }

  /// Whose it is.
  private var owner: ConnectedDevice? { ConnectedDevice(side, of: connection) }

  /// What its device says of itself.
  var device: DeviceFacts { side == .peer ? connection.peer : connection.local }

  var services: [GATTService] { connection.services(side) }

  /// What its values tell of the attribute that notifies heart rates, where its type was not discovered.
  var inference: Inference? { connection.inferences(of: side).first }
}

extension ConnectionSummary {
  /// What was made of the attributes from which the figures come.
  fileprivate func inferences(of side: ServerSide) -> [Inference] {
    [heartRate, otherHeartRate].compactMap { $0?.server == side ? $0?.inference : nil }
  }
}

/// `gatt --format text`: the databases as trees.
struct GATTText {
  let context: ReportContext

  func write(_ summaries: [CaptureSummary], into buffer: inout ReportBuffer) {
    let titles = CaptureOrigin.titles(of: summaries.map(\.origin))
    for (index, (summary, title)) in zip(summaries, titles).enumerated() {
      if index > 0 { buffer.write("\n") }
      buffer.write(Style.heading(title, context) + "\n")
      let servers = GATTServer.servers(in: summary)
      if servers.isEmpty {
        buffer.write(context.sentence(lack(in: summary), indent: 2))
        writeInferred(summary, &buffer)
        if summary.connections.isEmpty { HiddenText.write(summary.hiddenConnections, context, into: &buffer) }
      }
      for server in servers { write(server, &buffer) }
      if !summary.facts.damages.isEmpty { buffer.write("\n") }
      FindingText.write(damagesOf: summary.facts, context, indent: 0, into: &buffer)
    }
  }

  /// Why there is no table.
  private func lack(in summary: CaptureSummary) -> String {
    let facts = summary.facts
    if facts.records == 0 { return CaptureFacts.holdsNoRecords }
    if !summary.hiddenConnections.isEmpty { return "No GATT database in what was asked for." }
    let why =
      facts.keptACLOctets != nil
      ? "the log keeps only the beginning of each packet, and nothing of a discovery is left."
      : facts.truncatesATT || facts.truncatesDynamicATT
        ? "packets of ATT were cut, and with them what was discovered, if anything was."
        : "nothing was discovered in this capture. \(summary.connections.isEmpty ? "No connection appears in it." : "The phone may know the sensor from before.")"
    return "No GATT database: \(why)"
  }

  /// Where there is no table, what is known all the same.
  private func writeInferred(_ summary: CaptureSummary, _ buffer: inout ReportBuffer) {
    for connection in summary.connections {
      for inference in connection.inferences(of: .peer) + connection.inferences(of: .local) {
        let text = "On connection \(connection.id), \(inference.handle.handleText) is \(words(inference))."
        buffer.write(context.sentence(text, indent: 2))
      }
    }
  }

  private func words(_ inference: Inference) -> String {
    "a Heart Rate Measurement by its values, \(inference.confidenceText) sure"
  }

  private func write(_ server: GATTServer, _ buffer: inout ReportBuffer) {
    let connection = server.connection
    let address = server.side == .peer ? connection.addressText : "this device"
    let used = server.side == .peer && connection.identity != nil ? connection.address : nil
    let pieces = [
      Style.heading(server.device.name.map { AirText.shown($0) } ?? "no name", context), address ?? "address unknown",
      used.map { "under \($0)" } ?? "",
      connection.adapter > 0 ? adapterText(connection.adapter) : "",
    ]
    buffer.write("\n" + context.flow(pieces))
    let (services, inference) = (server.services, server.inference)
    let included = Set(services.flatMap { $0.includes.map(\.service) })
    let strays = Self.owned(connection.strayAttributes(server.side), by: services)
    for service in services {
      write(
        service.handles.handleText, service.uuid, service.uuid.flatMap(AssignedNumbers.serviceName),
        note: note(service, included), indent: 2, &buffer)
      for include in service.includes {
        write(
          include.handle.handleText, include.uuid, include.uuid.flatMap(AssignedNumbers.serviceName),
          note: "includes \(include.service.handleText)", indent: 4, &buffer)
      }
      for characteristic in service.characteristics { write(characteristic, inference, &buffer) }
      for stray in strays[service.handles.lowerBound] ?? [] { write(stray, indent: 4, &buffer) }
    }
    for stray in strays[nil] ?? [] { write(stray, indent: 2, &buffer) }
  }

  /// Attributes by where the service begins that they lie in, nil if in none; where one lies in the range of another, it is
  /// the later one.
  /// - Parameters:
  ///   - strays: In the order of their handles.
  ///   - services: In that order, too.
  private static func owned(_ strays: [GATTDescriptor], by services: [GATTService]) -> [UInt16?: [GATTDescriptor]] {
    var owned: [UInt16?: [GATTDescriptor]] = [:]
    // Those that have begun and are not over.
    var open: [ClosedRange<UInt16>] = []
    var next = 0
    for stray in strays {
      while next < services.count, services[next].handles.lowerBound <= stray.handle {
        open.append(services[next].handles)
        next += 1
      }
      while let last = open.last, last.upperBound < stray.handle { open.removeLast() }
      owned[open.last?.lowerBound, default: []].append(stray)
    }
    return owned
  }

  private func write(_ stray: GATTDescriptor, indent: Int, _ buffer: inout ReportBuffer) {
    write(
      stray.handle.handleText, stray.uuid, AssignedNumbers.attributeName(stray.uuid),
      note: "its characteristic is not known", indent: indent, &buffer)
  }

  /// - Parameter included: The handles of services that others include: each is one.
  private func note(_ service: GATTService, _ included: Set<ClosedRange<UInt16>>) -> String {
    if service.uuid == nil { return included.contains(service.handles) ? "" : "perhaps several services" }
    return service.isPrimary == false ? "secondary" : ""
  }

  private func write(_ characteristic: GATTCharacteristic, _ inference: Inference?, _ buffer: inout ReportBuffer) {
    let name =
      characteristic.uuid.flatMap(AssignedNumbers.characteristicName)
      ?? inference.flatMap { $0.handle == characteristic.valueHandle ? words($0) : nil }
    write(
      characteristic.valueHandle.handleText, characteristic.uuid, name,
      note: characteristic.properties?.description ?? "", indent: 4, &buffer)
    for descriptor in characteristic.descriptors {
      write(
        descriptor.handle.handleText, descriptor.uuid, AssignedNumbers.descriptorName(descriptor.uuid), indent: 6,
        &buffer)
    }
  }

  private func write(
    _ handles: String, _ uuid: BluetoothUUID?, _ name: String?, note: String = "", indent: Int,
    _ buffer: inout ReportBuffer
  ) {
    let type = uuid?.description ?? "unknown type"
    let pieces = [Style.quiet(handles, context), type, name ?? "", Style.accent(note, context)]
    buffer.write(context.flow(pieces, indent: indent, hanging: indent + 9))
  }
}

/// `gatt --format json`: the schema `hrsnoop.gatt/1`.
struct GATTJSON {
  let context: ReportContext

  func write(_ captures: [AnalyzedCapture], into buffer: ReportBuffer) {
    JSONWriter.document("hrsnoop.gatt/1", context, of: captures, into: buffer) { summary, json in
      json.array("servers") { json in
        for server in GATTServer.servers(in: summary) { write(server, &json) }
      }
    }
  }

  private func write(_ server: GATTServer, _ json: inout JSONWriter) {
    json.object { json in
      let isPeer = server.side == .peer
      json.value("adapter", server.connection.adapter)
      json.value("server", server.side.name)
      json.address(isPeer ? server.connection.address : nil)
      if isPeer, let identity = server.connection.identity {
        json.value("identity", identity.description)
        json.value("identity_type", identity.kind.name)
      }
      json.value("name", server.device.name)
      json.services("services", server.services)
    }
  }
}

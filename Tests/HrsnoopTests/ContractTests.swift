import Foundation
import Octets
import Testing
import TestSupport

/// What programs may rely on: the keys of the JSON and what stands behind them.
enum Contract {
  static let measurement = Shape.object([
    "frame": .integer, "time": .optional(.time), "raw": .hexadecimal, "octets": .integer, "bpm": .optional(.integer),
    "contact": .optional(.oneOf(["detected", "not-detected", "unsupported"])), "energy_kj": .optional(.integer),
    "rr": .optional(.list(.integer)), "rr_ms": .optional(.list(.number)), "rr_count": .optional(.integer),
    "error": .optional(.text),
  ])

  static let summary = Shape.object([
    "measurements": .integer, "malformed": .integer, "duration_s": .optional(.number), "rate_hz": .optional(.number),
    "bpm": .object(["min": .optional(.integer), "mean": .optional(.number), "max": .optional(.integer)]),
    "rr": .object([
      "count": .integer, "mean_ms": .optional(.number), "sdnn_ms": .optional(.number), "rmssd_ms": .optional(.number),
      "pnn50": .optional(.number),
    ]),
  ])

  static let moment = Shape.object(["frame": .integer, "time": .optional(.time)])

  static let heartRate = Shape.object([
    "measurement_handle": .optional(.integer), "cccd_handle": .optional(.integer),
    "location_handle": .optional(.integer),
    "provenance": .oneOf(["discovered", "earlier-connection", "imported", "inferred"]), "confidence": .number,
    "evidence": .list(.text), "location": .optional(.object(["value": .integer, "name": .text])),
    "subscribed": .optional(moment), "measurements": .list(measurement), "summary": summary,
  ])

  static let characteristic = Shape.object([
    "uuid": .optional(.text), "name": .optional(.text), "declaration": .optional(.integer), "handle": .integer,
    "properties": .optional(.list(.text)), "descriptors": .list(.object(["uuid": .text, "handle": .integer])),
  ])

  static let service = Shape.object([
    "uuid": .optional(.text), "name": .optional(.text), "start": .integer, "end": .integer,
    "characteristics": .list(characteristic),
  ])

  static let connection = Shape.object([
    "id": .integer, "handle": .integer, "adapter": .integer, "transport": .optional(.oneOf(["le", "br/edr"])),
    "role": .optional(.oneOf(["central", "peripheral"])),
    "peer": .object([
      "address": .optional(.text), "address_type": .optional(.oneOf(["public", "random"])), "name": .optional(.text),
      "manufacturer": .optional(.text), "model": .optional(.text), "firmware": .optional(.text),
      "battery_percent": .optional(.integer),
    ]),
    "opened": .optional(moment),
    "closed": .optional(
      .object([
        "frame": .integer, "time": .optional(.time), "reason": .optional(.integer), "reason_name": .optional(.text),
      ])),
    "parameters": .list(
      .object([
        "frame": .integer, "time": .optional(.time), "interval_ms": .number, "latency": .integer,
        "supervision_timeout_ms": .integer,
      ])),
    "att_mtu": .optional(.integer), "encrypted": .optional(.bool), "services": .list(service),
    "heart_rate": .optional(heartRate),
    "candidates": .list(.object(["handle": .integer, "confidence": .number, "evidence": .list(.text)])),
  ])

  static let sensor = Shape.object([
    "address": .text, "address_type": .oneOf(["public", "random"]), "name": .optional(.text),
    "company": .optional(.text), "rssi_dbm": .optional(.integer),
  ])

  static let finding = Shape.object([
    "rule": .text, "severity": .oneOf(["info", "warning", "error"]), "connection": .optional(.integer),
    "frame": .optional(.integer), "last_frame": .optional(.integer), "time": .optional(.time), "count": .integer,
    "message": .text, "reference": .optional(.text), "causes": .list(.integer),
  ])

  static let capture = Shape.object([
    "path": .text, "members": .list(.text),
    "format": .oneOf(["btsnoop", "pcap", "pcapng", "packetlogger", "btsnooz"]),
    "link_type": .optional(
      .oneOf(["hci-h1", "hci-h4", "hci-h4-phdr", "linux-monitor", "le-ll", "le-ll-phdr", "nordic-ble", "mixed"])),
    "records": .integer, "first_time": .optional(.time), "last_time": .optional(.time),
    "clock": .oneOf(["utc", "local", "unknown"]), "complete": .bool, "skipped_octets": .integer,
    "truncated_records": .integer, "dropped_records": .integer, "connections": .list(connection),
    "unconnected_sensors": .list(sensor),
    "findings": .list(finding),
  ])

  static let analysis = Shape.object([
    "schema": .oneOf(["hrsnoop.analysis/1"]), "tool": .object(["name": .oneOf(["hrsnoop"]), "version": .text]),
    "captures": .list(capture),
  ])

  static let databases = Shape.object([
    "schema": .oneOf(["hrsnoop.gatt/1"]), "tool": .object(["name": .oneOf(["hrsnoop"]), "version": .text]),
    "captures": .list(
      .object([
        "path": .text,
        "servers": .list(
          .object([
            "adapter": .integer, "server": .oneOf(["peer", "local"]), "address": .optional(.text),
            "address_type": .optional(.text), "name": .optional(.text), "services": .list(service),
          ])),
      ])),
  ])
}

@Suite struct `The contract` {
  @Test(arguments: Sample.all)
  func `analyze`(sample: Sample) async throws {
    #expect(Contract.analysis.faults(in: try await Reports.json(of: sample)) == [])
  }

  @Test(arguments: Sample.all)
  func `gatt`(sample: Sample) async throws {
    let outcome = try await Program.run(["gatt", "--format", "json", sample.path])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let json = try outcome.json()
    #expect(Contract.databases.faults(in: json) == [])
    let servers = try #require(json["captures"]?.array?.first?["servers"]?.array)
    let isPeer = sample.truth.connections.allSatisfy { $0.role == "central" }
    let addresses = sample.truth.connections.map(\.peer.address)
    #expect(Set(servers.compactMap { $0["address"]?.string }) == (isPeer ? Set(addresses) : []))
    for truth in sample.truth.connections {
      let server = servers.first {
        isPeer ? $0["address"]?.string == truth.peer.address : $0["server"] == .string("local")
      }
      #expect(server?["services"]?.array?.map(Truth.Service.init(json:)) == truth.services)
    }
  }

  /// A capture without its beginning: what is unknown is null.
  @Test func `a connection that began before`() async throws {
    var host = HostSide()
    for rate in [70, 71] as [UInt8] { host.notified([0x06, rate]) }
    let octets = host.file()
    try await TemporaryFolder.with { folder in
      let path = try folder.file("capture", octets)
      let json = try await Program.run(["--format", "json", path]).json()
      #expect(Contract.analysis.faults(in: json) == [])
      let connection = try #require(json["captures"]?.array?.first?["connections"]?.array?.first)
      #expect(connection["opened"] == .null && connection["closed"] == .null && connection["att_mtu"] == .null)
      #expect(connection["peer"]?["address"] == .null && connection["role"] == .null)
    }
  }

  /// Simple packets of pcapng have no time: nothing is made of it.
  @Test func `a capture without times`() async throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    for rate in 70..<80 as Range<UInt8> { host.notified([0x06, rate]) }
    let kind = PCAPNGBuilder(.little)
    var octets = kind.section + kind.interface(linkType: 187)
    for packet in host.packets {
      let whole = [packet.uartType] + packet.octets
      octets += kind.simple(whole + Array(repeating: 0, count: (4 - whole.count % 4) % 4), original: whole.count)
    }
    let file = octets
    try await TemporaryFolder.with { folder in
      let path = try folder.file("capture", file)
      let json = try await Program.run(["--format", "json", path]).json()
      #expect(Contract.analysis.faults(in: json) == [])
      let capture = try #require(json["captures"]?.array?.first)
      #expect(capture["first_time"] == .null && capture["last_time"] == .null)
      let session = try #require(capture["connections"]?.array?.first?["heart_rate"])
      #expect(session["measurements"]?.array?.map { $0["bpm"] } == (70..<80).map { .number(Double($0)) })
      #expect(session["measurements"]?.array?.allSatisfy { $0["time"] == .null } == true)
      for figure in ["duration_s", "rate_hz", "period_s", "longest_gap_s", "to_first_measurement_s"] {
        #expect(session["summary"]?[figure] == .null, "\(figure)")
      }
      let text = try await Program.run([path]).output
      #expect(text.contains("no times   \(host.packets.count) records") && !text.contains("00:00"))
      #expect(capture["clock"] == .string("unknown"))
      let rows = try await Program.run(["timeline", "--format", "csv", path]).lines
      #expect(rows.count == 11 && rows[1].hasPrefix(",,"))
      let lines = try await Program.run(["timeline", path]).output
      #expect(lines.contains("72 bpm") && !lines.contains("00:00") && !lines.contains("0.000"))
      let end = try await Program.run(["timeline", "--format", "ndjson", path]).lines.last
      #expect(end?.contains(#""clock": "unknown""#) == true)
    }
  }

  /// Times of no year that can be written, as of a btsnoop file that counts from its own beginning.
  @Test func `times that cannot be are none`() async throws {
    var host = HostSide()
    host.time = HostSide.neverSet
    host.connected()
    host.discoverHeartRate()
    host.notified([0, 72])
    let octets = host.file()
    try await TemporaryFolder.with { folder in
      let path = try folder.file("capture", octets)
      let text = try await Program.run([path]).output
      #expect(text.contains("no times of day   0.1 s   \(host.packets.count) records"), "\(text)")
      let part = try await Program.run(["--from", "0", "--to", "7.5", path]).output
      #expect(part.contains("\nOnly +0 s – +7 s is shown, as asked for\n"), "\(part)")
      let capture = try #require(try await Program.run(["--format", "json", path]).json()["captures"]?.array?.first)
      #expect(capture["first_time"] == .null)
    }
  }

  /// Values that the capture cut: the octets that are there, no intervals, but their number.
  @Test func `values cut by the capture`() async throws {
    var host = HostSide()
    host.subscribe()
    host.keptACLOctets = 14
    host.notified(hex("16 48 e8 03 e9 03"))
    let octets = host.file()
    try await TemporaryFolder.with { folder in
      let path = try folder.file("capture", octets)
      let json = try await Program.run(["--format", "json", path]).json()
      #expect(Contract.analysis.faults(in: json) == [])
      let capture = try #require(json["captures"]?.array?.first)
      #expect(capture["truncated_records"] == .number(1))
      #expect(capture["findings"]?.array?.map { $0["rule"]?.string } == ["packets-truncated"])
      let measurements = capture["connections"]?.array?.first?["heart_rate"]?["measurements"]?.array
      let measurement = try #require(measurements?.first)
      // ACL 4, L2CAP 4 and ATT 3 octets precede the value.
      #expect(measurement["raw"] == .string("1648e8") && measurement["octets"] == .number(6))
      #expect(measurement["bpm"] == .number(72) && measurement["contact"] == .string("detected"))
      #expect(measurement["rr"] == .null && measurement["rr_ms"] == .null)
      #expect(measurement["rr_count"] == .number(2) && measurement["error"] == .null)
    }
  }
}

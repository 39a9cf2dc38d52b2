import CaptureFiles
import Foundation
import Testing
import TestSupport

/// The JSON of every sample against what its scenario says happened, value for value.
@Suite struct `Reports of the samples` {
  private func capture(_ sample: Sample) async throws -> JSON {
    try #require(try await Reports.json(of: sample)["captures"]?.array?.first)
  }

  private func pairs(_ sample: Sample) async throws -> [(found: JSON, truth: Truth.Connection)] {
    let connections = try #require(try await capture(sample)["connections"]?.array)
    #expect(connections.count == sample.truth.connections.count)
    #expect(connections.map { $0["id"]?.int } == (0..<connections.count).map { $0 + 1 })
    return Array(zip(connections, sample.truth.connections))
  }

  @Test(arguments: Sample.all)
  func `tell the capture`(sample: Sample) async throws {
    let capture = try await capture(sample)
    let read = try ReadCapture(sample.octets)
    #expect(capture["path"]?.string == sample.path && capture["members"] == .array([]))
    #expect(capture["format"]?.string == read.formatName && capture["records"]?.int == read.records.count)
    // Current PacketLogger writes little-endian and local time; what the older ones count from is not known.
    let clock = sample.name.hasSuffix(".le.pklg") ? "local" : sample.name.hasSuffix(".be.pklg") ? "unknown" : "utc"
    #expect(capture["clock"]?.string == clock)
    #expect(capture["complete"] == .bool(true) && capture["skipped_octets"] == .number(0))
    #expect(capture["truncated_records"] == .number(0) && capture["dropped_records"] == .number(0))
    // Broken values, a rate of 300 to show that there is room for it, and a hole: of the other samples there is nothing
    // worse to say than what is worth knowing.
    let rules = capture["findings"]?.array?.filter { $0["severity"]?.string != "info" }.compactMap {
      $0["rule"]?.string
    }
    if sample.name.hasPrefix("handle-reused-no-disconnection") {
      #expect(rules == ["handle-reused"])
    } else if !sample.name.hasPrefix("malformed"), !sample.name.hasPrefix("wahoo-tickr") {
      #expect(rules == [])
    }
    // Notes and other interfaces do not stretch the capture.
    let packets = read.records.filter { [.command, .event, .aclData].contains($0.content) }
    #expect(capture["first_time"]?.string == packets.first.map { rfc3339($0.time) })
    #expect(capture["last_time"]?.string == packets.last.map { rfc3339($0.time) })
  }

  @Test(arguments: Sample.all)
  func `tell the connections`(sample: Sample) async throws {
    for (found, truth) in try await pairs(sample) {
      #expect(found["handle"]?.int == Int(truth.handle) && found["adapter"] == .number(0))
      let isLowEnergy = !sample.name.hasPrefix("br-edr")
      #expect(found["transport"]?.string == (isLowEnergy ? "le" : "br/edr"))
      #expect(found["role"]?.string == truth.role)
      #expect(found["encrypted"] == .bool(truth.encrypted))
      let reason: UInt8? = truth.closedReason
      #expect(found["closed"]?["reason"]?.int == reason.map(Int.init))
      #expect((found["closed"]?["reason_name"]?.string == nil) == (reason == nil))
    }
  }

  /// Where no exchange may lie before the capture, the ATT_MTU is known.
  @Test(arguments: Sample.all)
  func `tell the ATT_MTU`(sample: Sample) async throws {
    for (found, truth) in try await pairs(sample) {
      #expect(found["opened"]?["frame"]?.int != nil)
      #expect(found["att_mtu"]?.int == truth.attMtu.map(Int.init))
    }
  }

  @Test(arguments: Sample.all)
  func `tell the peers`(sample: Sample) async throws {
    for (found, truth) in try await pairs(sample) {
      let peer = try #require(found["peer"])
      #expect(peer["address"]?.string == truth.peer.address && peer["address_type"]?.string == truth.peer.addressType)
      // On the sensor's side the truth tells of the sensor, which the capture is of.
      guard truth.role == "central" else { continue }
      #expect(peer["name"]?.string == truth.peer.name)
      #expect(peer["manufacturer"]?.string == truth.peer.manufacturer && peer["model"]?.string == truth.peer.model)
      #expect(peer["firmware"]?.string == truth.peer.firmware)
      #expect(peer["battery_percent"]?.int == truth.peer.batteryPercent.map(Int.init))
    }
  }

  @Test(arguments: Sample.all)
  func `tell the services`(sample: Sample) async throws {
    for (found, truth) in try await pairs(sample) {
      #expect(found["services"]?.array?.map(Truth.Service.init(json:)) == truth.services)
    }
  }

  @Test(arguments: Sample.all)
  func `tell the sensors`(sample: Sample) async throws {
    for (found, truth) in try await pairs(sample) {
      let heartRate = try #require(found["heart_rate"])
      #expect(heartRate["measurement_handle"]?.int == Int(truth.measurementHandle))
      #expect(heartRate["cccd_handle"]?.int == Int(truth.cccdHandle))
      #expect(heartRate["location_handle"]?.int == truth.locationHandle.map(Int.init))
      #expect(heartRate["location"]?["value"]?.int == truth.location.map { Int($0.value) })
      #expect(heartRate["provenance"]?.string == (truth.discovered ? "discovered" : "earlier-connection"))
      #expect(heartRate["confidence"] == .number(1) && heartRate["evidence"] == .array([]))
      #expect(found["candidates"] == .array([]))
    }
  }

  /// Raw octets, length, rate, contact, energy, intervals, error; and the frame and time of the record they lie in.
  @Test(arguments: Sample.all)
  func `tell the measurements`(sample: Sample) async throws {
    let records = try ReadCapture(sample.octets).records
    for (found, truth) in try await pairs(sample) {
      let measurements = try #require(found["heart_rate"]?["measurements"]?.array)
      #expect(measurements.map(Truth.Measurement.init(json:)) == truth.measurements)
      let handle = truth.measurementHandle.little.hexadecimal
      for (json, measurement) in zip(measurements, truth.measurements) {
        let frame = try #require(json["frame"]?.int)
        let record = try #require(frame <= records.count ? records[frame - 1] : nil)
        #expect(record.number == frame && record.content == .aclData)
        #expect(json["time"]?.string == rfc3339(record.time))
        // The value begins in this record, or in one of the fragments before it. In a Multiple Handle Value
        // Notification its length stands between the handle and the value.
        let fragments = records[max(0, frame - 4)..<frame].map(\.octets.hexadecimal)
        let beginnings = ["1b" + handle, handle + UInt16(measurement.octets).little.hexadecimal]
        let isThere = fragments.contains { fragment in
          beginnings.contains { fragment.contains($0 + measurement.raw.prefix(6)) }
        }
        #expect(isThere, "frame \(frame)")
        let milliseconds = measurement.rr?.map { (Double($0) * 1000 / 1024 * 1000).rounded() / 1000 }
        #expect(json["rr_ms"]?.array?.compactMap(\.number) == milliseconds)
        if let intervals = measurement.rr { #expect(json["rr_count"]?.int == intervals.count) }
      }
    }
  }

  /// The figures, computed once more from the truth.
  @Test(arguments: Sample.all)
  func `tell the figures`(sample: Sample) async throws {
    for (found, truth) in try await pairs(sample) {
      let summary = try #require(found["heart_rate"]?["summary"])
      let listed = try #require(found["heart_rate"]?["measurements"]?.array)
      let times = listed.compactMap { $0["time"]?.string.flatMap(seconds) }
      let figures = Figures(truth.measurements, times: times)
      #expect(summary["measurements"]?.int == figures.measurements && summary["malformed"]?.int == figures.malformed)
      expect(summary["duration_s"], figures.duration, within: 0.0006)
      expect(summary["rate_hz"], figures.rate, within: 0.0006)
      #expect(summary["bpm"]?["min"]?.int == figures.least && summary["bpm"]?["max"]?.int == figures.most)
      expect(summary["bpm"]?["mean"], figures.mean, within: 0.051)
      #expect(summary["rr"]?["count"]?.int == figures.intervals)
      expect(summary["rr"]?["mean_ms"], figures.meanInterval, within: 0.0006)
      expect(summary["rr"]?["sdnn_ms"], figures.sdnn, within: 0.0006)
      expect(summary["rr"]?["rmssd_ms"], figures.rmssd, within: 0.0006)
      expect(summary["rr"]?["pnn50"], figures.pnn50, within: 0.00006)
    }
  }

  private func expect(
    _ found: JSON?, _ truth: Double?, within tolerance: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let truth else {
      #expect(found == .null, sourceLocation: sourceLocation)
      return
    }
    let number = found?.number ?? .infinity
    #expect(abs(number - truth) <= tolerance, "\(truth)", sourceLocation: sourceLocation)
  }

  private static let scenarios = Dictionary(grouping: Sample.all) { $0.truth.captures }.values
    .filter { $0.count > 1 }.map { $0 }.sorted { $0[0].name < $1[0].name }

  /// The same packets in other files: all the same but frames, and what tells the file itself.
  @Test(arguments: scenarios)
  func `are the same in every container`(samples: [Sample]) async throws {
    let first = try await capture(samples[0])["connections"]?.without(["frame"])
    #expect(first?.array?.isEmpty == false)
    for sample in samples.dropFirst() {
      #expect(try await capture(sample)["connections"]?.without(["frame"]) == first, "\(sample)")
    }
  }
}

/// What the figures of measurements must be, computed from the definitions in two passes.
private struct Figures {
  let measurements: Int
  let malformed: Int
  let duration: Double
  let rate: Double?
  let least: Int?
  let most: Int?
  let mean: Double?
  let intervals: Int
  let meanInterval: Double?
  let sdnn: Double?
  let rmssd: Double?
  let pnn50: Double?

  init(_ all: [Truth.Measurement], times: [Double]) {
    let sound = all.filter { !$0.error }
    measurements = all.count
    malformed = all.count - sound.count
    duration = (times.last ?? 0) - (times.first ?? 0)
    rate = all.count > 1 ? Double(all.count - 1) / duration : nil
    let rates = sound.compactMap { $0.bpm.map(Int.init) }
    least = rates.min()
    most = rates.max()
    mean = rates.isEmpty ? nil : Double(rates.reduce(0, +)) / Double(rates.count)
    let lengths = sound.flatMap { $0.rr ?? [] }.map { Double($0) / 1.024 }
    intervals = lengths.count
    let average = lengths.reduce(0, +) / Double(max(1, lengths.count))
    meanInterval = lengths.isEmpty ? nil : average
    let squares = lengths.reduce(0) { $0 + ($1 - average) * ($1 - average) }
    sdnn = lengths.count > 1 ? (squares / Double(lengths.count - 1)).squareRoot() : nil
    // Neighbours are none over a broken value, nor over a silence in which beats were lost.
    var (steps, last): ([Double], Double?) = ([], nil)
    for (place, measurement) in all.enumerated() {
      if measurement.error || place > 0 && times[place] - times[place - 1] > 10 { last = nil }
      for interval in measurement.error ? [] : measurement.rr ?? [] {
        let length = Double(interval) / 1.024
        if let last { steps.append(length - last) }
        last = length
      }
    }
    rmssd = steps.isEmpty ? nil : (steps.reduce(0) { $0 + $1 * $1 } / Double(steps.count)).squareRoot()
    pnn50 = steps.isEmpty ? nil : Double(steps.count { abs($0) > 50 }) / Double(lengths.count)
  }
}

// MARK: - JSON and truth

/// Microseconds since 1970 as the contract has them; the whole seconds by Foundation.
private func rfc3339(_ microseconds: Int64) -> String {
  let whole = Date(timeIntervalSince1970: Double(microseconds / 1_000_000)).formatted(.iso8601)
  return whole.dropLast() + "." + String(String(1_000_000 + microseconds % 1_000_000).dropFirst()) + "Z"
}

/// The seconds of a time within its day.
private func seconds(_ time: String) -> Double? {
  guard let match = time.wholeMatch(of: /.*T(\d\d):(\d\d):(\d\d\.\d+)Z/), let hours = Double(match.1),
    let minutes = Double(match.2), let seconds = Double(match.3)
  else { return nil }
  return hours * 3600 + minutes * 60 + seconds
}

extension Truth.Measurement {
  /// A measurement of a report as the truth tells it.
  init(json: JSON) {
    self.init(
      raw: json["raw"]?.string ?? "none", octets: json["octets"]?.int ?? -1,
      bpm: json["bpm"]?.int.map { UInt16(clamping: $0) }, contact: json["contact"]?.string,
      energyKj: json["energy_kj"]?.int.map { UInt16(clamping: $0) },
      rr: json["rr"]?.array?.map { UInt16(clamping: $0.int ?? -1) }, error: json["error"]?.string != nil)
  }
}

extension Truth.Service {
  /// A service of a report as the truth tells it.
  init(json: JSON) {
    self.init(
      uuid: json["uuid"]?.string ?? "none", start: Self.handle(json["start"]), end: Self.handle(json["end"]),
      characteristics: json["characteristics"]?.array?.map { characteristic in
        Truth.Characteristic(
          uuid: characteristic["uuid"]?.string ?? "none", declaration: Self.handle(characteristic["declaration"]),
          handle: Self.handle(characteristic["handle"]),
          properties: characteristic["properties"]?.array?.compactMap(\.string) ?? [],
          descriptors: characteristic["descriptors"]?.array?.map { descriptor in
            Truth.Descriptor(uuid: descriptor["uuid"]?.string ?? "none", handle: Self.handle(descriptor["handle"]))
          } ?? [])
      } ?? [])
  }

  private static func handle(_ json: JSON?) -> UInt16 { json?.int.map { UInt16(clamping: $0) } ?? 0 }
}

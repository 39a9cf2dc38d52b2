import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Testing
import TestSupport

/// Every sample with its packets cut, as phones log them: what is left must be told, and nothing else.
@Suite struct `Cut samples` {
  /// Android's default log keeps 14 octets of ACL data, its filtered one 13; others keep what they like.
  static let lengths = [8, 9, 10, 11, 12, 13, 14, 16, 20, 27]

  /// Samples whose values do not lie behind more headers than those of ACL data and L2CAP.
  static let samples = Sample.all.filter { $0.name.hasSuffix(".btsnoop") && !$0.name.hasPrefix("eatt") }

  /// The packets of a sample, ACL data cut to so many octets.
  /// - Parameter isWhole: What is kept whole, by its octets.
  private func packets(
    _ sample: Sample, _ kept: Int, except isWhole: ([UInt8]) -> Bool = { _ in false }
  ) throws -> [CapturedPacket] {
    try ReadCapture(sample.octets).records.filter(\.content.isPacket).map { record in
      let isCut = record.content == .aclData && !isWhole(record.octets)
      return CapturedPacket(
        record.content, record.direction ?? .received, record.octets,
        kept: isCut ? min(kept, record.octets.count) : nil,
        time: record.time, adapter: record.adapter)
    }
  }

  /// Whether a packet is one from which a database is learned: a PDU of discovery, or a fragment of one. Signalling
  /// on BR/EDR is never cut: it sets up the channel of ATT.
  private func isDiscovery(_ octets: [UInt8]) -> Bool {
    guard octets.count > 8 else { return true }
    let isContinuation = octets[1] >> 4 & 3 == 1
    return isContinuation || octets[6...7] == [1, 0]
      || [0x01, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x10, 0x11].contains(octets[8])
  }

  /// The first octet of a configuration holds all bits that mean anything.
  @Test(arguments: [(12, true), (11, false)]) func `tell who subscribes`(kept: Int, isTold: Bool) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("12 11 00 01 00"))
    host.cutLast(to: kept)
    host.received([0x13])
    let events = try Analysis(host.file()).events
    #expect(events.contains { if case .subscribed = $0.content { true } else { false } } == isTold)
    #expect(events.contains { if case .dialogue(.lost) = $0.content { true } else { false } } != isTold)
  }

  /// A log that begins when the channels are open, or are being opened, holds the same values from there on.
  @Test func `tell Enhanced ATT wherever the log begins`() throws {
    let packets = try packets(Sample.named("eatt.btsnoop"), .max)
    let whole = try InferredCapture(Container.btsnoopH4.file(packets)).events.filter { $0.content.heartRate != nil }
    #expect(whole.count == 21)
    for start in packets.indices {
      // The first record may be the second half of a value.
      let left = whole.filter { $0.frame > start + 1 }
      // Of a handful of values nobody knows what they are.
      guard left.count > 10 else { return }
      let found = try InferredCapture(Container.btsnoopH4.file(Array(packets.dropFirst(start)))).events
      let values = found.filter { $0.content.heartRate != nil && $0.frame > 1 }
      #expect(values.map { $0.frame + start } == left.map(\.frame))
      // What the log begins amid is nobody's fault.
      let faults = found.filter { if case .malformed(let event) = $0.content { !event.isExcused } else { false } }
      #expect(faults.isEmpty)
    }
  }

  /// Handle, peer, rate, contact and number of intervals of every measurement, from what the octets that are left tell.
  @Test(arguments: samples, lengths)
  func `tell every measurement`(sample: Sample, kept: Int) throws {
    let analysis = try Analysis(Container.btsnoopH4.file(packets(sample, kept, except: isDiscovery)))
    let connections = analysis.connections
    #expect(connections.count == sample.truth.connections.count)
    // Opcode and handle tell that there is a value.
    guard kept >= 11 else {
      #expect(analysis.measurements.isEmpty && connections.allSatisfy { $0.malformed.isEmpty })
      return
    }
    for (found, truth) in zip(connections, sample.truth.connections) {
      #expect(found.malformed.isEmpty)
      #expect(found.peer?.address.map { "\($0)" } == truth.peer.address)
      #expect(found.measurements.count == truth.measurements.count)
      for (event, measurement) in zip(found.measurements, truth.measurements) {
        #expect(event.handle == truth.measurementHandle && event.length == measurement.octets)
        let raw = hex(measurement.raw)
        #expect(event.octets.map(Array.init) == Array(raw.prefix(kept - 11)))
        if !measurement.error { expect(event.reading, measurement, raw, isThere: kept - 11) }
      }
    }
  }

  private func expect(
    _ reading: HeartRateMeasurement.Reading, _ truth: Truth.Measurement, _ raw: [UInt8], isThere kept: Int
  ) {
    let flags = kept > 0 ? raw.first : nil
    let rateEnd = raw[0] & 1 == 0 ? 2 : 3
    #expect(reading.flags?.rawValue == flags)
    #expect(reading.beatsPerMinute == (kept >= rateEnd ? truth.bpm : nil))
    #expect(reading.contact?.word == (kept > 0 ? truth.contact : nil))
    #expect(reading.rrCount == (kept > 0 ? truth.rr?.count : nil))
    #expect(reading.energyExpended == (kept >= rateEnd + 2 ? truth.energyKj : nil))
    let isKnown = kept >= raw.count || kept > 0 && truth.rr == []
    #expect(reading.rrIntervals?.map(\.rawValue) == (isKnown ? truth.rr : nil))
    #expect(reading.error == nil)
  }

  /// The same in other files that tell how long packets were.
  @Test(arguments: Container.allCases.filter(\.tellsOriginalLength), [13, 14])
  func `are the same in every container`(container: Container, kept: Int) throws {
    let sample = Sample.named("polar-h7.btsnoop")
    let packets = try packets(sample, kept, except: isDiscovery)
    let expected = try Analysis(Container.btsnoopH4.file(packets))
    let found = try Analysis(container.file(packets))
    for (one, other) in zip(found.measurements, expected.measurements) {
      #expect(one.handle == other.handle && one.octets == other.octets && one.length == other.length)
    }
    #expect(found.measurements.count == sample.truth.connections[0].measurements.count)
    #expect(found.facts.truncatedACLPackets == expected.facts.truncatedACLPackets)
    #expect(found.facts.longestTruncatedACL == kept)
  }

  /// Discovery cut too: the ranges of services, subscriptions and locations that 14 octets, or 13, leave.
  @Test(arguments: samples.filter { $0.truth.connections.allSatisfy(\.discovered) }, [13, 14])
  func `tell what discovery leaves`(sample: Sample, kept: Int) throws {
    let connections = try Analysis(
      Container.btsnoopH4.file(packets(sample, kept, except: { $0.count > 8 && $0[6...7] == [1, 0] }))
    ).connections
    #expect(connections.count == sample.truth.connections.count)
    for (found, truth) in zip(connections, sample.truth.connections) {
      #expect(found.malformed.isEmpty)
      let databases = try #require(found.databases)
      let database = truth.role == "central" ? databases.peer : databases.local
      let ranges = truth.services.map { $0.start...$0.end }
      let services = found.events.compactMap { event -> ServiceEvent? in
        if case .service(let service) = event.content { service } else { nil }
      }
      // Of each response the first service's handles are there, where 14 octets are kept; its type is not.
      #expect(services.isEmpty == (kept < 14))
      #expect(services.allSatisfy { ranges.contains($0.range.start...$0.range.end) && $0.uuid == nil })
      let values = truth.services.flatMap(\.characteristics)
      for characteristic in database.services.flatMap(\.characteristics) {
        let known = values.first { $0.handle == characteristic.valueHandle }
        #expect(known != nil && (characteristic.declaration ?? known?.declaration) == known?.declaration)
        if let properties = characteristic.properties { #expect(properties.names == known?.properties) }
      }
      let writes = found.events.compactMap { event -> ValueEvent? in
        if case .write(let write) = event.content { write } else { nil }
      }
      if !truth.measurements.isEmpty {
        let write = writes.first { $0.handle == truth.cccdHandle }
        #expect(write.map { Array($0.octets) } == [1, 0])
      }
      let reads = found.events.compactMap { event -> ValueEvent? in
        if case .read(let read) = event.content { read } else { nil }
      }
      // There it is read together with others, in a request too long to be kept.
      if let location = truth.location, let handle = truth.locationHandle, sample.name != "long-reads.btsnoop" {
        #expect(reads.contains { $0.handle == handle && Array($0.octets) == [location.value] })
      }
    }
  }

  /// Of the characteristics in one response the first is told, the measurement, and from 24 octets on the second as well,
  /// the location.
  @Test(arguments: 17...25) func `tell where a sensor is worn whatever discovery leaves`(kept: Int) throws {
    let sample = Sample.named("polar-h7.btsnoop")
    let found = try summary(of: Container.btsnoopH4.file(packets(sample, kept))).connections.first
    let connection = try #require(found)
    let session = try #require(connection.heartRate)
    let truth = try #require(sample.truth.connections.first)
    #expect(session.origin == nil && session.inference == nil)
    #expect(connection.location(of: session)?.location.rawValue == truth.location?.value)
    #expect(session.locationHandle == truth.locationHandle)
  }

  /// One octet that is read behind a discovered measurement: its location only where that has to be.
  @Test(
    arguments: [
      // Behind the configuration and a declaration.
      (19, 1, 1), (18, 1, nil), (20, 1, nil), (19, 7, nil),
    ] as [(UInt16, UInt8, UInt8?)])
  func `tell no location that may be something else`(at handle: UInt16, octet: UInt8, location: UInt8?) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a"))
    host.sent([0x0A] + handle.little)
    host.received([0x0B, octet])
    for _ in 0..<3 { host.notified([0x16, 72, 0x00, 0x04]) }
    let connection = try #require(try summary(of: host.file()).connections.first)
    let session = try #require(connection.heartRate)
    #expect(connection.location(of: session)?.location.rawValue == location)
    #expect(session.locationHandle == location.map { _ in handle })
  }

  /// In the same service it may stand a little farther behind, in another one never.
  @Test(arguments: [(20, 2), (19, nil)] as [(UInt8, UInt8?)])
  func `tell a location by its service`(end: UInt8, location: UInt8?) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0e 00") + [end, 0] + hex("0d 18"))
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a"))
    host.sent(hex("0a 14 00"))
    host.received(hex("0b 02"))
    for _ in 0..<3 { host.notified([0x16, 72, 0x00, 0x04]) }
    let connection = try #require(try summary(of: host.file()).connections.first)
    let session = try #require(connection.heartRate)
    #expect(connection.location(of: session)?.location.rawValue == location)
  }

  /// On the signalling channel of Low Energy the request is cut: that there was one, and the answer to it, is left.
  @Test(arguments: [13, 14, 40]) func `tell requests for parameters`(kept: Int) throws {
    var host = HostSide()
    host.connected()
    host.keptACLOctets = kept
    host.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 90 01 00 00 58 02"))
    host.l2cap(.sent, channel: 5, hex("13 01 02 00 01 00"))
    let events = try Analysis(host.file()).events.compactMap { event -> ParameterRequestEvent? in
      if case .parameterRequest(let request) = event.content { request } else { nil }
    }
    #expect(events.map(\.step) == [.asked, .refused] && events.allSatisfy(\.isFromPeer))
    #expect(events.map { $0.request?.intervalMinimum } == (kept < 20 ? [nil, nil] : [250, 250]))
  }

  /// A declaration keeps its properties, and half of its value's handle, which follows it.
  @Test func `tell declarations as far as they are kept`() throws {
    for kept in [13, 14] {
      var host = HostSide()
      host.connected()
      host.keptACLOctets = kept
      host.discoverHeartRate(first: 254)
      host.write(attribute: 257, [1, 0])
      let connection = try #require(try Analysis(host.file()).connections.first)
      let characteristics = connection.databases?.peer.services.flatMap(\.characteristics) ?? []
      #expect(characteristics.map(\.valueHandle) == (kept == 14 ? [256] : []))
      #expect(characteristics.allSatisfy { $0.uuid == nil && $0.properties == .notify && $0.declaration == 255 })
      // A configuration written beside a value that can notify is one.
      #expect(connection.subscriptions.map(\.valueHandle) == (kept == 14 ? [256] : []))
      #expect(connection.malformed.isEmpty)
    }
  }

  /// Of one measurement nothing is kept, not even whether it has RR-Intervals: that is no time without any.
  @Test func `tell of no measurement what is not kept`() throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<30 {
      host.notified([0x10, 60, UInt8(second), 4])
      if second == 8 { host.cutLast(to: 11) }
      host.wait(milliseconds: 990)
    }
    #expect(try host.findings(of: "rr-vanished").isEmpty)
  }

  /// What comes behind the first value in a Multiple Handle Value Notification may be the measurement.
  @Test(arguments: [12, 14, 15]) func `may hide measurements among several values`(kept: Int) throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<40 {
      let isTogether = (10..<20).contains(second)
      host.received(isTogether ? hex("23 20 00 01 00 5a 10 00 02 00 00 48") : hex("1b 10 00 00 48"))
      if isTogether { host.cutLast(to: kept) }
      host.wait(milliseconds: 990)
    }
    #expect(try host.findings(of: "notification-gap").isEmpty)
  }

  /// Behind it others are whole, and as usual as before.
  @Test func `of which one packet is cut tell no way of logging`() throws {
    var packets = try packets(Sample.named("polar-h7.btsnoop"), 0) { _ in true }
    let values = packets.indices.filter { packets[$0].octets.starts(with: hex("40 20 0b 00 07 00 04 00 1b")) }
    packets[values[values.count / 2]].kept = 14
    let facts = try Analysis(Container.btsnoopH4.file(packets)).facts
    #expect(facts.truncatedACLPackets == 1 && facts.longestTruncatedACL == 14 && facts.keptACLOctets == nil)
  }

  /// So little that not even the headers are there.
  @Test(arguments: 0..<8) func `tell nothing wrong of headers that are gone`(kept: Int) throws {
    let sample = Sample.named("fragments-27-mtu-185.btsnoop")
    let analysis = try Analysis(Container.btsnoopH4.file(packets(sample, kept)))
    #expect(analysis.measurements.isEmpty)
    #expect(!analysis.events.contains { $0.content.kind == .malformed })
    #expect(analysis.facts.truncatedACLPackets > 0)
  }
}

extension HeartRateMeasurement.Contact {
  /// As the truth calls it.
  fileprivate var word: String {
    switch self {
    case .detected: "detected"
    case .notDetected: "not-detected"
    case .unsupported: "unsupported"
    }
  }
}

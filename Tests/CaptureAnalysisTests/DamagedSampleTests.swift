import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// Whatever happens to a capture, it is read or refused in words, never a trap.
@Suite struct `Damaged samples` {
  /// Whether the capture is read to its end, or refused by an error that has words.
  private func survives(_ octets: [UInt8]) -> Bool {
    do {
      let facts = try Analysis(octets).facts
      return facts.progress.consumedOctets == octets.count
    } catch {
      return !error.description.isEmpty && !error.field.isEmpty
    }
  }

  /// Every octet of small files. Of the larger ones some: which, differs from file to file and from call to call, so
  /// that all fields are met in one or another.
  private func places(_ count: Int, _ salt: Int = 0) -> StrideTo<Int> {
    let step = count <= 3200 ? 1 : count / 500
    return stride(from: (count + salt) % step, to: count, by: step)
  }

  @Test(arguments: Sample.all)
  func `cut at every octet`(sample: Sample) throws {
    let octets = try sample.octets
    for length in places(octets.count) {
      #expect(survives(Array(octets.prefix(length))), "\(length) octets")
    }
  }

  @Test(arguments: Sample.all, [0xFF, 0x01] as [UInt8])
  func `with every octet flipped`(sample: Sample, mask: UInt8) throws {
    var octets = try sample.octets
    for place in places(octets.count, Int(mask)) {
      octets[place] ^= mask
      #expect(survives(octets), "octet \(place)")
      octets[place] ^= mask
    }
  }

  /// Cut anywhere, the measurements before the cut are all there.
  @Test(arguments: Sample.all)
  func `a beginning holds the beginning`(sample: Sample) throws {
    let octets = try sample.octets
    let all = try Analysis(octets).events.compactMap { event in event.content.heartRate.map { (event.frame, $0) } }
    for length in stride(from: octets.count / 2, to: octets.count, by: max(1, octets.count / 40)) {
      let analysis = try Analysis(Array(octets.prefix(length)))
      let found = analysis.measurements
      #expect(found == all.prefix { $0.0 <= analysis.facts.records }.map(\.1), "\(length) octets")
    }
  }

  /// What is left of its packet may still look like a measurement, of another rate.
  @Test(
    arguments: [.btsnoopH4, .btsnoopH1, .btsnoopMonitor, .pcapDirection, .pcapH4, .packetLoggerBig] as [Container],
    1...3)
  func `a measurement that lacks octets is none`(container: Container, lost: Int) throws {
    var host = HostSide()
    host.subscribe()
    for rate in 60..<80 as Range<UInt8> {
      host.notified([0x10, rate] + (61_440 / UInt16(rate)).little)
      host.wait(milliseconds: 990)
    }
    let packet = host.packets[host.packets.count - 10].octets
    let end = container.file(Array(host.packets.dropLast(9))).count
    for place in 1...packet.count - lost {
      var file = host.file(container)
      file.removeSubrange(end - packet.count + place..<end - packet.count + place + lost)
      let summary = try summary(of: file, listsMeasurements: true)
      let rates = summary.connections.flatMap { $0.heartRate?.measurements.map(\.reading.beatsPerMinute) ?? [] }
      #expect(rates == (60..<80).filter { $0 != 70 }, "\(lost) octets missing at \(place)")
      #expect(summary.findings.map(\.rule) == ["octets-skipped"], "\(lost) octets missing at \(place)")
    }
  }
}

import CaptureAnalysis
import CaptureFiles
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
}

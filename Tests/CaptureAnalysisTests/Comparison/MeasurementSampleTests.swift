import CaptureFiles
import TestSupport
import Testing

@testable import CaptureAnalysis

/// Measurements as statistics compare them.
@Suite struct `Samples of measurements` {
  /// Whichever way a clock leaps, five seconds begin anew.
  @Test(arguments: [(0, 8), (60, 9), (-60, 9)] as [(Int64, Int)])
  func `are means of five seconds`(leap: Int64, count: Int) throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<40 {
      if second == 22 { host.wait(milliseconds: 1000 * leap) }
      host.notified([0, 60 + UInt8(second % 3)])
      host.wait(milliseconds: 990)
    }
    let connections = try summary(of: host.file(), listsMeasurements: true).connections
    #expect(MeasurementSample(connections.compactMap(\.heartRate)).rates.count == count)
  }

  private func sample(_ host: HostSide) throws -> MeasurementSample {
    MeasurementSample(try summary(of: host.file(), listsMeasurements: true).connections.compactMap(\.heartRate))
  }

  /// What is sent between two intervals, each of which is otherwise half a second behind the last.
  enum Between: CaseIterable {
    case nothing, malformed, cut, lost, another, off
  }

  /// Intervals are neighbours only where none may be missing between them.
  @Test(arguments: Between.allCases)
  func `take no interval for another's neighbour`(between: Between) throws {
    var host = HostSide()
    host.subscribeToTwoServices()
    for beat in 0..<240 {
      // 800, 900, 1000 and 900 units, of 1/1024 s.
      host.notified([0x10, 70] + [800, 900, 1000, 900 as UInt16][beat % 4].little)
      switch between {
      case .nothing: break
      case .malformed: host.notified([0x10, 70, 0x01])
      case .cut:
        host.notified([0x10, 70, 0x20, 0x03])
        host.cutLast(to: 14)
      case .lost: host.event(0x0F, [0, 1, 0, 0])
      case .another: host.notified(attribute: 42, [0, 70])
      case .off:
        host.write(attribute: 17, [0, 0])
        host.wait(milliseconds: 1000)
        host.write(attribute: 17, [1, 0])
      }
      host.wait(milliseconds: 480)
    }
    var octets = host.file()
    if between == .lost { octets = Self.losingAll(octets, ofCode: 0x0F) }
    let sessions = try summary(of: octets, listsMeasurements: true).connections.compactMap(\.heartRate)
    #expect(MeasurementSample(sessions).variability.isEmpty == (between != .nothing))
  }

  /// Each event of a code is a record that the log has lost one before.
  private static func losingAll(_ octets: [UInt8], ofCode code: UInt8) -> [UInt8] {
    var (octets, place, drops) = (octets, 16, UInt8(0))
    while place < octets.count {
      let length = Int(octets[place + 6]) << 8 | Int(octets[place + 7])
      if octets[place + 24] == 0x04, octets[place + 25] == code { drops += 1 }
      octets[place + 15] = drops
      place += 24 + length
    }
    return octets
  }

  /// No beat is missing while nothing was to come.
  @Test func `leave out the time in which notifications were switched off`() throws {
    var host = HostSide()
    host.subscribe()
    for round in 0..<6 {
      for _ in 0..<10 {
        host.notified([0x10, 75] + UInt16(819).little)
        host.wait(milliseconds: 990)
      }
      guard round < 5 else { continue }
      host.write(attribute: 17, [0, 0])
      host.wait(milliseconds: 25_000)
      host.write(attribute: 17, [1, 0])
    }
    let sample = try sample(host)
    // 59 seconds and a little, at 75 beats a minute.
    #expect((73...75).contains(sample.beats) && sample.timedIntervals == 59)
    #expect(sample.periods.allSatisfy { $0 < 1.1 } && sample.periods.count == 59)
  }
}

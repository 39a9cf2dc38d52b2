import BluetoothHost
import CaptureFiles
import TestSupport
import Testing

@testable import CaptureAnalysis

/// Whom a host waits for that asks for anyone on its list.
@Suite struct `The filter accept list` {
  /// What is told of an attempt: the last octets of the addresses.
  private struct Told: Equatable {
    let peer: UInt8?
    let accepted: [UInt8]?
  }

  private func told(_ host: HostSide, in file: ([UInt8]) -> [UInt8] = { $0 }) throws -> [Told] {
    func last(_ device: DeviceAddress) -> UInt8 { UInt8(truncatingIfNeeded: device.number) }
    return try Analysis(file(host.file())).events.compactMap { event in
      guard case .connectAttempt(let attempt) = event.content else { return nil }
      return Told(peer: attempt.peer.map(last), accepted: attempt.accepted?.map(last))
    }
  }

  private func afterReset() -> HostSide {
    var host = HostSide()
    host.command(0x0C03)
    host.event(0x0E, hex("01 03 0c 00"))
    return host
  }

  @Test func `with one device on it`() throws {
    var host = afterReset()
    host.accept(peer: 2)
    host.createWithAcceptList()
    #expect(try told(host) == [Told(peer: 2, accepted: [2])])
  }

  /// A controller may take several commands at once.
  @Test func `with two that were put on it at once`() throws {
    var host = afterReset()
    for device in [2, 3] as [UInt8] { host.command(0x2011, [0x01] + HostSide.address(device)) }
    for _ in 0..<2 { host.event(0x0E, hex("01 11 20 00")) }
    host.createWithAcceptList()
    #expect(try told(host) == [Told(peer: nil, accepted: [2, 3])])
  }

  /// The answer to the first is not in the capture: the one that is there may be to either.
  @Test func `with two, of which one was answered`() throws {
    var host = afterReset()
    host.command(0x2011, [0x01] + HostSide.address(2))
    host.accept(peer: 3)
    host.createWithAcceptList()
    #expect(try told(host).map(\.peer) == [nil])
  }

  @Test func `with several, and twice the same`() throws {
    var host = afterReset()
    for device in [2, 3, 2] as [UInt8] { host.accept(peer: device) }
    host.createWithAcceptList()
    #expect(try told(host) == [Told(peer: nil, accepted: [2, 3])])
  }

  /// Others may be on it since before the capture.
  @Test func `of which the beginning was not seen`() throws {
    var host = HostSide()
    host.accept(peer: 2)
    host.createWithAcceptList()
    #expect(try told(host) == [Told(peer: nil, accepted: [2])])
  }

  @Test func `that is cleared, and from which one is removed`() throws {
    var host = HostSide()
    host.accept(peer: 1)
    host.command(0x2010)
    host.event(0x0E, hex("01 10 20 00"))
    for device in [2, 3] as [UInt8] { host.accept(peer: device) }
    host.command(0x2012, [0x01] + HostSide.address(2))
    host.event(0x0E, hex("01 12 20 00"))
    host.createWithAcceptList()
    #expect(try told(host) == [Told(peer: 3, accepted: [3])])
  }

  @Test func `to which the controller does not add a device`() throws {
    var host = afterReset()
    host.accept(peer: 2)
    host.accept(peer: 3, status: 0x0C)
    host.createWithAcceptList()
    #expect(try told(host) == [Told(peer: 2, accepted: [2])])
  }

  @Test func `to which the controller refuses to add a device`() throws {
    var host = afterReset()
    host.command(0x2011, [0x01] + HostSide.address(3))
    host.event(0x0F, hex("0c 01 11 20"))
    host.accept(peer: 2)
    host.createWithAcceptList()
    #expect(try told(host) == [Told(peer: 2, accepted: [2])])
  }

  /// Of so many adapters the lists are not kept.
  @Test func `of the hundredth adapter`() throws {
    var host = HostSide()
    for adapter in 0..<100 as Range<UInt16> {
      host.adapter = adapter
      host.accept(peer: 2)
    }
    host.createWithAcceptList()
    #expect(try told(host, in: { _ in host.file(.btsnoopMonitor) }) == [Told(peer: nil, accepted: [])])
  }

  /// Advertisers without an address.
  @Test func `with a device that has no address`() throws {
    var host = afterReset()
    host.accept(peer: 2)
    host.command(0x2011, [0xFF] + HostSide.address(3))
    host.event(0x0E, hex("01 11 20 00"))
    host.createWithAcceptList()
    #expect(try told(host) == [Told(peer: 2, accepted: [2])])
  }

  @Test func `does not matter where a device is named`() throws {
    var host = afterReset()
    host.accept(peer: 2)
    host.create(peer: 3)
    #expect(try told(host) == [Told(peer: 3, accepted: nil)])
  }

  /// It may have been changed there.
  @Test func `in which records are missing`() throws {
    var host = afterReset()
    host.accept(peer: 2)
    let hole = host.file().count
    host.createWithAcceptList()
    // The cumulative drops of the record behind it.
    let told = try told(host) { file in
      var file = file
      file[hole + 15] = 1
      return file
    }
    #expect(told == [Told(peer: nil, accepted: [])])
  }

  /// Where one file goes on with another, what the host has asked for holds; another host's file tells of another list.
  @Test(arguments: [(200, true), (5000, true), (86_400_000, false)] as [(Int64, Bool)])
  func `that goes on in the next file`(milliseconds: Int64, isSame: Bool) throws {
    var host = afterReset()
    host.accept(peer: 2)
    let end = host.file().count
    host.wait(milliseconds: milliseconds)
    host.createWithAcceptList()
    let told = try told(host) { Array($0[..<end] + $0[..<16] + $0[end...]) }
    #expect(told == [isSame ? Told(peer: 2, accepted: [2]) : Told(peer: nil, accepted: [])])
  }

  /// PacketLogger's files have no header: of two in one, nothing but the time shows where the second begins.
  @Test func `that another file's may be, by its time`() throws {
    var host = afterReset()
    host.accept(peer: 2)
    host.wait(milliseconds: -7_200_000)
    host.createWithAcceptList()
    let told = try told(host) { _ in host.file(.packetLoggerLittle) }
    #expect(told == [Told(peer: nil, accepted: [])])
  }

  /// Whom the host gave up, too.
  @Test func `until the attempt fails`() throws {
    var host = afterReset()
    host.accept(peer: 2)
    host.createWithAcceptList()
    host.leEvent(0x01, hex("3e") + Array(repeating: 0, count: 17))
    #expect(try told(host) == Array(repeating: Told(peer: 2, accepted: [2]), count: 2))
  }
}

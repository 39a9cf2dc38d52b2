import BluetoothHost
import CaptureFiles
import TestSupport
import Testing

@testable import CaptureAnalysis

/// Adapters of different hosts have the same numbers: what their controllers say of themselves tells them apart.
@Suite struct `Another controller of the same number` {
  /// How a controller says what it is: its address, its maker, or both, as the Linux monitor tells them.
  enum Word: CaseIterable {
    case address, company, newIndex, indexInformation

    func say(_ number: UInt8, _ host: inout HostSide) {
      switch self {
      case .address: host.event(0x0E, hex("01 09 10 00") + address(number))
      case .company: host.event(0x0E, hex("01 01 10 00 0c 00 00 0c") + [number, 0] + hex("00 00"))
      case .newIndex: host.add(.newIndex, .received, hex("00 01") + address(number) + Array("hci0\0\0\0\0".utf8))
      case .indexInformation: host.add(.indexInformation, .received, address(number) + hex("0c 00"))
      }
    }

    private func address(_ number: UInt8) -> [UInt8] { [number, 0x5E, 0x10, 0x32, 0x21, 0x40] }
  }

  private func read(_ files: [HostSide]) throws -> [InferredCapture] {
    var (told, captures) = (Conclusions(), [InferredCapture]())
    for file in files {
      var knowledge = CaptureKnowledge()
      knowledge.remember(told)
      captures.append(try InferredCapture(file.file(.btsnoopMonitor), knowledge))
      told.add(captures[captures.count - 1].conclusions)
    }
    return captures
  }

  /// A file half a second behind another, in which the same handle notifies.
  private func file(after last: HostSide?, _ word: Word, _ number: UInt8?, notifies: Bool = true) -> HostSide {
    var host = HostSide()
    if let last { host.time = last.time + 500_000 }
    if let number { word.say(number, &host) }
    host.command(0x0C13, Array("host".utf8))
    if last == nil {
      host.connected()
      host.discoverHeartRate()
    }
    if notifies { host.notified([0x00, 70]) }
    return host
  }

  private func peers(_ capture: InferredCapture) -> [DeviceAddress?] {
    capture.events.compactMap { if case .connected(let event) = $0.content { event.peer.address } else { nil } }
  }

  private let peer = DeviceAddress(0xC544_3322_1101, .random)

  @Test(arguments: Word.allCases) func `has connections of its own`(word: Word) throws {
    let first = file(after: nil, word, 1)
    let captures = try read([first, file(after: first, word, 2)])
    #expect(captures.map(peers) == [[peer], [nil]])
  }

  @Test(arguments: Word.allCases) func `is none if it says the same`(word: Word) throws {
    let first = file(after: nil, word, 1)
    let captures = try read([first, file(after: first, word, 1)])
    #expect(captures.map(peers) == [[peer], [peer]] && captures[1].measurements == [16: 1])
  }

  /// The file between is silent on it, on the connection, or on both.
  @Test(arguments: Word.allCases, [nil, 1, 2] as [UInt8?]) func `is told across a file`(word: Word, between: UInt8?)
    throws
  {
    let first = file(after: nil, word, 1)
    for notifies in [true, false] {
      let second = file(after: first, word, between, notifies: notifies)
      for (third, peer) in [(nil, between == 2 ? nil : peer), (2, nil)] as [(UInt8?, DeviceAddress?)] {
        #expect(try peers(read([first, second, file(after: second, word, third)])[2]) == [peer])
      }
    }
  }

  @Test(arguments: Word.allCases) func `ends what there was`(word: Word) throws {
    var host = file(after: nil, word, 1)
    word.say(1, &host)
    host.notified([0x00, 71])
    #expect(try peers(InferredCapture(host.file(.btsnoopMonitor))) == [peer])
    word.say(2, &host)
    host.notified([0x00, 72])
    let capture = try InferredCapture(host.file(.btsnoopMonitor))
    #expect(peers(capture) == [peer, nil])
    let ends = capture.events.compactMap { if case .disconnected(let end) = $0.content { end.adapterEnd } else { nil } }
    #expect(ends == [.removed])
  }

  /// Firmware that has not been loaded has another address; nothing is connected then.
  @Test func `ends nothing before anything is connected`() throws {
    var host = HostSide()
    for number in [1, 2] as [UInt8] { Word.address.say(number, &host) }
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 70])
    let capture = try InferredCapture(host.file(.btsnoopMonitor))
    #expect(peers(capture) == [peer] && capture.measurements == [16: 1])
    #expect(!capture.events.contains { if case .controller = $0.content { true } else { false } })
  }

  /// Zeros are no address, and the last number is nobody's.
  @Test(arguments: ["01 09 10 00 00 00 00 00 00 00", "01 09 10 0c 02 5e 10 32 21 40", "01 09 10 00", "01 01 10 00 0c"])
  func `is not told by one that says nothing`(answer: String) throws {
    let first = file(after: nil, .address, 1)
    var second = HostSide()
    second.time = first.time + 500_000
    second.event(0x0E, hex(answer))
    second.notified([0x00, 71])
    #expect(try read([first, second]).map(peers) == [[peer], [peer]])
  }

  /// 0xFFFF is the number of whoever has none.
  @Test(arguments: [("ff ff", true), ("02 00", false)])
  func `is not told by the number of no company`(company: String, isSame: Bool) throws {
    let first = file(after: nil, .company, 1)
    var second = HostSide()
    second.time = first.time + 500_000
    second.event(0x0E, hex("01 01 10 00 0c 00 00 0c \(company) 00 00"))
    second.notified([0x00, 71])
    #expect(try read([first, second]).map(peers) == [[peer], [isSame ? peer : nil]])
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

/// Files that were rotated, given as captures of their own: connections go on from one to the next.
@Suite struct `Captures that go on where others end` {
  /// Reads files one after another, each knowing what those before it told.
  private func read(_ files: [HostSide]) throws -> [InferredCapture] {
    var (told, captures) = (Conclusions(), [InferredCapture]())
    for file in files {
      var knowledge = CaptureKnowledge()
      knowledge.remember(told)
      captures.append(try InferredCapture(file, knowledge))
      told.add(captures[captures.count - 1].conclusions)
    }
    return captures
  }

  /// A file of five seconds in which a connection is made, and the sensor discovered.
  private func beginning(peer: UInt8 = 1) -> HostSide {
    var host = HostSide()
    host.connected(peer: peer)
    host.discoverHeartRate()
    host.wait(milliseconds: 5000)
    host.notified([0x00, 70])
    return host
  }

  /// The next file, some time later.
  private func next(
    after host: HostSide, milliseconds: Int64 = 500, _ build: (inout HostSide) -> Void = { $0.notified([0x00, 71]) }
  ) -> HostSide {
    var next = HostSide()
    next.time = host.time
    next.wait(milliseconds: milliseconds)
    build(&next)
    return next
  }

  private func peer(_ last: UInt8) -> DeviceAddress { DeviceAddress(0xC544_3322_1100 | UInt64(last), .random) }

  /// The peers of the connections that were not seen to begin.
  private func continued(_ capture: InferredCapture) -> [DeviceAddress?] {
    capture.events.compactMap { event in
      if case .connected(let connected) = event.content, !connected.wasSeen { connected.peer.address } else { nil }
    }
  }

  @Test func `its peer and its handles are known`() throws {
    let first = beginning()
    let second = next(after: first)
    let captures = try read([first, second, next(after: second)])
    for capture in captures[1...] {
      #expect(continued(capture) == [peer(1)] && capture.measurements == [16: 1])
    }
    let connected = captures[1].events.compactMap { if case .connected(let event) = $0.content { event } else { nil } }
    #expect(connected.map(\.role) == [.central] && connected.map(\.isLowEnergy) == [true])
    #expect(connected.allSatisfy { $0.peer.wasKnown })
  }

  private func measure(_ host: inout HostSide) { host.sent(hex("1b 10 00 00 46")) }

  /// A sensor's own log: its phone has discovered it in the first file, and not in the others.
  @Test func `what its peer knows of this device is known`() throws {
    var first = HostSide()
    first.connected(isPeripheral: true)
    first.showHeartRate()
    measure(&first)
    let second = next(after: first, measure)
    let captures = try read([first, second, next(after: second, measure)])
    #expect(captures.map(\.measurements) == [[16: 1], [16: 1], [16: 1]])
    // Another connection is with anybody, over any adapter of that number.
    #expect(try read([first, next(after: first, milliseconds: 20_000, measure)])[1].measurements.isEmpty)
  }

  /// The short file in the middle was read before the first one, and then again.
  @Test(arguments: [false, true]) func `as they were told last`(isReversed: Bool) throws {
    var first = HostSide()
    first.connected(isPeripheral: true)
    let second = next(after: first) { $0.showHeartRate() }
    let told = try read([first, second]).map(\.conclusions) + [try InferredCapture(second).conclusions]
    var all = Conclusions()
    for one in isReversed ? told.reversed() : told { all.add(one) }
    var knowledge = CaptureKnowledge()
    knowledge.remember(all)
    let third = try InferredCapture(next(after: second, measure), knowledge)
    #expect(continued(third) == [peer(1)] && third.measurements == [16: 1])
  }

  /// What it has advertised, or said when it was asked: to both the same address.
  @Test(arguments: [false, true]) func `its name is known`(isRead: Bool) throws {
    var first = HostSide()
    if !isRead {
      let data = hex("03 03 0d 18 05 09") + Array("Name".utf8)
      first.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + [UInt8(data.count)] + data + [0xC0])
    } else {
      first.connected()
      first.readName("Name")
      first.disconnected()
    }
    let captures = try read([first, next(after: first, milliseconds: 86_400_000) { $0.connected() }])
    let connected = captures[1].events.compactMap { if case .connected(let event) = $0.content { event } else { nil } }
    #expect(connected.map(\.peer.name) == ["Name"])
  }

  /// In the order of time, no file is behind itself, however short it is: it may have to be read again before it tells more.
  @Test func `none is past before it begins`() throws {
    let (first, second) = (beginning(), next(after: beginning()))
    let told = try [first, second].map { try InferredCapture($0).conclusions }
    #expect(told[0].isPast(before: told[1]) && !told[1].isPast(before: told[0]) && !told[1].isPast(before: told[1]))
  }

  /// A connection under a private address of peer 1.
  private func connectPrivately(_ host: inout HostSide) {
    host.leEvent(0x01, hex("00 40 00 00 01") + PrivateDevice.address + hex("18 00 00 00 48 00 00"))
  }

  /// A private address lasts as long as the connection, whosever it is: that may come to light in the next file.
  @Test(arguments: [false, true]) func `under a private address`(isKeyTold: Bool) throws {
    var first = HostSide()
    connectPrivately(&first)
    first.discoverHeartRate()
    let second = next(after: first) { host in
      host.notified([0x00, 71])
      if isKeyTold { host.giveKey() }
      host.notified([0x00, 72])
    }
    let captures = try read([first, second, next(after: second)])
    #expect(captures[1...].map(\.measurements) == [[16: 2], [16: 1]])
    #expect(continued(captures[2]) == [DeviceAddress(0x7081_940D_FBAA, .random)])
    // The table of a sensor is kept even then: another capture may hold its key.
    first.disconnected()
    #expect(try InferredCapture(first).conclusions.peers.count == 1)
    var other = HostSide()
    connectPrivately(&other)
    other.sent(hex("10 01 00 ff ff 00 28"))
    other.received(hex("11 06 0e 00 13 00 0f 18"))
    other.disconnected()
    #expect(try InferredCapture(other).conclusions.peers.isEmpty)
  }

  /// Two adapters are connected to one peer, and one of them has not discovered all of it; nor need both know whom they
  /// have there.
  @Test(arguments: [0, 1] as [UInt16], [false, true])
  func `with what several adapters know of a peer`(whole: UInt16, isPrivate: Bool) throws {
    var host = HostSide()
    for adapter in [0, 1] as [UInt16] {
      host.adapter = adapter
      if adapter == whole {
        if isPrivate { connectPrivately(&host) } else { host.connected() }
        host.discoverHeartRate()
      } else {
        host.connected()
        if isPrivate { host.giveKey() }
        host.sent(hex("10 01 00 ff ff 00 28"))
        host.received(hex("11 06 0e 00 13 00 0d 18"))
      }
    }
    let peers = try InferredCapture(host.file(.btsnoopMonitor)).conclusions.peers
    #expect(peers.mapValues { $0.valueHandle(of: .heartRateMeasurement) } == [peer(1): 16])
  }

  /// Nothing of the connection is in the file between.
  @Test func `over a file in which it is silent`() throws {
    let first = beginning()
    let silent = next(after: first) { $0.command(0x1009) }
    let captures = try read([first, silent, next(after: silent)])
    #expect(continued(captures[1]).isEmpty && continued(captures[2]) == [peer(1)])
    #expect(captures[2].measurements == [16: 1])
  }

  /// What shows in the file between that the connection does not go on.
  enum Break: CaseIterable { case end, reset, otherConnection }

  @Test(arguments: Break.allCases)
  func `not over a file with`(what: Break) throws {
    let first = beginning()
    let between = next(after: first) { host in
      switch what {
      case .end: host.disconnected()
      case .reset: host.event(0x0E, [0x01, 0x03, 0x0C, 0x00])
      case .otherConnection:
        host.connected(peer: 2)
        host.disconnected()
      }
    }
    let captures = try read([first, between, next(after: between, milliseconds: 2000)])
    #expect(continued(captures[2]) == [nil] && captures[2].measurements.isEmpty)
  }

  /// What ends or begins in the file itself is told there.
  @Test func `not behind its end in the same file`() throws {
    let first = beginning()
    let second = next(after: first) { host in
      host.disconnected()
      host.wait(milliseconds: 3000)
      host.notified([0x00, 72])
    }
    let captures = try read([first, second])
    #expect(continued(captures[1]) == [nil] && captures[1].measurements.isEmpty)
  }

  @Test func `a handle that another peer has by then`() throws {
    let first = beginning()
    let second = next(after: first) { host in
      host.connected(peer: 2)
      host.discoverHeartRate(first: 24)
    }
    let captures = try read([first, second, next(after: second) { $0.notified(attribute: 26, [0x00, 73]) }])
    #expect(continued(captures[2]) == [peer(2)] && captures[2].measurements == [26: 1])
  }

  @Test(arguments: [(-500, true), (9000, true), (11_000, false), (-2000, false)] as [(Int64, Bool)])
  func `only if it begins where the other ends`(milliseconds: Int64, isContinued: Bool) throws {
    let first = beginning()
    let captures = try read([first, next(after: first, milliseconds: milliseconds)])
    #expect(continued(captures[1]) == [isContinued ? peer(1) : nil])
  }

  /// What is said once on a connection was said in the first file, and is said in the next: some time may have passed between
  /// them in which another one was made.
  @Test(arguments: [(5000, true, 1), (300, true, 0), (5000, false, 0)] as [(Int64, Bool, Int)])
  func `not where they begin anew`(milliseconds: Int64, hasAsked: Bool, isOther: Int) throws {
    var first = HostSide()
    first.connected()
    if hasAsked {
      first.sent(hex("02 05 02"))
      first.received(hex("03 b9 00"))
    }
    first.discoverHeartRate()
    let second = next(after: first, milliseconds: milliseconds) { host in
      host.sent(hex("02 05 02"))
      host.received(hex("03 b9 00"))
      host.discoverHeartRate(first: 30)
      host.notified(attribute: 32, [0x00, 71])
    }
    let captures = try read([first, second, next(after: second) { $0.notified(attribute: 32, [0x00, 72]) }])
    let expected = isOther == 1 ? nil : peer(1)
    #expect(captures[1...].map(continued) == [[expected], [expected]])
    #expect(captures[1].measurements == [32: 1])
  }

  /// A client that has values asks once which services there are.
  @Test(arguments: [(0, true), (5, false)]) func `not where they are discovered anew`(values: Int, isOther: Bool) throws
  {
    let first = beginning()
    let second = next(after: first, milliseconds: 5000) { host in
      for _ in 0..<values {
        host.notified([0x00, 71])
        host.wait(milliseconds: 990)
      }
      host.discoverHeartRate()
    }
    #expect(continued(try read([first, second])[1]) == [isOther ? nil : peer(1)])
  }

  /// Two computers, captured at the same time: which of them goes on in the third file is not known.
  @Test(arguments: [UInt8(1), 2]) func `only what captures of the same time agree on`(other: UInt8) throws {
    let first = beginning()
    let captures = try read([first, beginning(peer: other), next(after: first)])
    #expect(continued(captures[2]) == [other == 1 ? peer(1) : nil])
  }

  /// A capture without a clock: all times are 0.
  @Test func `not without a clock`() throws {
    let (first, second) = (beginning(), next(after: beginning()))
    func withoutTimes(_ host: HostSide) -> [UInt8] {
      Container.btsnoopH4.file(
        host.packets.map { packet in
          var packet = packet
          packet.time = 0
          return packet
        })
    }
    var knowledge = CaptureKnowledge()
    knowledge.remember(try InferredCapture(withoutTimes(first)).conclusions)
    let capture = try InferredCapture(withoutTimes(second), knowledge)
    #expect(continued(capture) == [nil])
  }
}

/// Files that were put one behind another: a capture with headers in the middle.
@Suite struct `Files in one` {
  /// The peer of each connection, by the last octet of its address, and its rates.
  private func connections(_ file: [UInt8]) throws -> [String] {
    try Analysis(file).connections.map { connection in
      let peer = (connection.connected?.peer.address?.number).map { "\($0 & 0xFF)" } ?? "unknown"
      let rates = connection.events.compactMap { $0.content.heartRate?.reading.beatsPerMinute }
      return "\(peer): \(rates)"
    }
  }

  /// Of files that were rotated, the connections go on; of others, a handle in the second is not what it is in the first.
  @Test(
    arguments: [
      (500, true), (-500, true), (50_000, true), (70_000, false), (-2000, false), (86_400_000, false),
    ] as [(Int64, Bool)],
    [Container.btsnoopH4, .btsnoopMonitor, .pcapDirection, .pcapngLittle])
  func `have the same connections if one goes on where the other ends`(
    pause: (milliseconds: Int64, isContinued: Bool), container: Container
  ) throws {
    var (first, second) = (HostSide(), HostSide())
    first.connected()
    first.discoverHeartRate()
    first.notified([0x00, 70])
    first.notified([0x00, 71])
    second.time = first.time
    second.wait(milliseconds: pause.milliseconds)
    second.notified([0x00, 72])
    second.connected(0x41, peer: 2)
    #expect(
      try connections(first.file(container) + second.file(container))
        == (pause.isContinued ? ["1: [70, 71, 72]", "2: []"] : ["1: [70, 71]", "unknown: []", "2: []"]))
    // The first one may have been cut off.
    #expect(
      try connections(first.file(container).dropLast(5) + second.file(container))
        == (pause.isContinued ? ["1: [70, 72]", "2: []"] : ["1: [70]", "unknown: []", "2: []"]))
  }
}

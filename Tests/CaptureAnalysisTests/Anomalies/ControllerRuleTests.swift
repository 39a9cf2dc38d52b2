import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// A controller that fails: what becomes of its connections, and what that explains.
@Suite struct `Controller rules` {
  private static let failed = "the controller failed (Hardware Error, code 0x0C, which only its maker can explain)"

  /// Connections 1 and 2 on one adapter, 3 on another, on each of which a measurement has come.
  private static var talking: HostSide {
    var host = HostSide()
    for (adapter, handle) in [(0, 0x40), (0, 0x41), (1, 0x40)] as [(UInt16, UInt16)] {
      host.adapter = adapter
      host.connected(handle, peer: UInt8(handle) + UInt8(adapter) * 2)
      host.write(on: handle, attribute: 17, [1, 0])
      host.notified(on: handle, [0x16, 0x48, 0xE8, 0x03])
    }
    host.adapter = 0
    return host
  }

  /// A controller that fails while a sensor measures.
  private static var failing: HostSide {
    var host = HostSide()
    host.connected()
    host.notified([0x16, 0x48, 0xE8, 0x03])
    fail(&host)
    return host
  }

  private static func fail(_ host: inout HostSide) { host.event(0x10, [0x0C]) }
  private static func reset(_ host: inout HostSide) { host.event(0x0E, hex("01 03 0c 00")) }

  private func findings(_ host: HostSide) throws -> [Finding] {
    try host.findings(of: "controller-failed", in: .btsnoopMonitor)
  }

  @Test func `takes the connections of its adapter with it`() throws {
    var host = Self.talking
    Self.fail(&host)
    host.command(0x0C03)
    Self.reset(&host)
    host.adapter = 1
    host.wait(milliseconds: 500)
    host.notified([0x16, 0x48, 0xE8, 0x03])
    host.disconnected(reason: 0x16)
    let found = try findings(host)
    #expect(found.map(\.connection) == [1, 2] && found.allSatisfy { $0.severity == .error })
    let fate = "\(Self.failed) and took this connection and another one with it; the local host reset it 20 ms later"
    #expect(found.map(\.message) == [fate, fate])
  }

  @Test func `takes all that are open with it, and tells how many`() throws {
    var host = HostSide()
    for handle in [0x40, 0x41, 0x42] as [UInt16] {
      host.connected(handle, peer: UInt8(handle))
      host.write(on: handle, attribute: 17, [1, 0])
      host.notified(on: handle, [0x16, 0x48, 0xE8, 0x03])
    }
    Self.fail(&host)
    host.command(0x0C03)
    Self.reset(&host)
    let fate = "\(Self.failed) and took this connection and 2 others with it; the local host reset it 20 ms later"
    #expect(try findings(host).map(\.message) == [fate, fate, fate])
  }

  @Test func `what was done about it is told`() throws {
    let answers: [((inout HostSide) -> Void, String)] = [
      ({ _ in }, "the capture shows no reset behind it"),
      (
        { $0.command(0x0C03) },
        "the local host asked for a reset 10 ms later, and the capture does not show that it came"
      ),
      ({ $0.add(.closeIndex, .sent, []) }, "its adapter was switched off 10 ms later"),
      ({ $0.add(.deleteIndex, .sent, []) }, "its adapter was taken away 10 ms later"),
    ]
    for (answer, words) in answers {
      var host = HostSide()
      host.connected()
      host.notified([0x16, 0x48, 0xE8, 0x03])
      Self.fail(&host)
      answer(&host)
      #expect(try findings(host).map(\.message) == ["\(Self.failed) and took this connection with it; \(words)"])
    }
  }

  @Test func `failures in a row are one, until another connection is made`() throws {
    var host = HostSide()
    host.connected()
    host.notified([0x16, 0x48, 0xE8, 0x03])
    for _ in 0..<3 {
      Self.fail(&host)
      Self.reset(&host)
    }
    host.connected()
    Self.fail(&host)
    let found = try findings(host)
    #expect(found.map(\.count) == [3, 1] && found.map(\.connection) == [1, 2])
    #expect(found.first?.message.hasSuffix("reset it 10 ms later; 3 times in all") == true)
  }

  /// What the peer sent before the failure may still be on its way to the host.
  @Test(arguments: [(500, Severity.error, 1), (5000, .warning, nil)] as [(Int64, Severity, Int?)])
  func `a connection goes on where its peer is heard`(pause: Int64, severity: Severity, connection: Int?) throws {
    var host = Self.failing
    host.wait(milliseconds: pause)
    host.notified([0x16, 0x48, 0xE8, 0x03])
    let found = try findings(host)
    #expect(found.map(\.severity) == [severity] && found.map(\.connection) == [connection])
    let goesOn = found.first?.message.contains(", and a connection went on all the same") == true
    #expect(goesOn == (severity == .warning))
  }

  /// A reset soon behind a failure is its consequence, one much later is not.
  @Test(arguments: [(3000, 1), (60_000, nil)] as [(Int64, Int?)])
  func `a reset ends what had gone on`(pause: Int64, connection: Int?) throws {
    var host = Self.failing
    host.wait(milliseconds: pause)
    host.notified([0x16, 0x48, 0xE8, 0x03])
    Self.reset(&host)
    #expect(try findings(host).map(\.connection) == [connection])
  }

  @Test func `where no data are logged, nobody knows what became of a connection`() throws {
    var host = HostSide()
    host.connected()
    Self.fail(&host)
    let silent = try findings(host)
    #expect(silent.map(\.connection) == [nil])
    #expect(silent.first?.message.contains("what became of a connection is not in the capture") == true)
    Self.reset(&host)
    #expect(try findings(host).map(\.connection) == [1])
  }

  @Test func `explains how a connection ended`() throws {
    var host = Self.failing
    host.wait(milliseconds: 700)
    host.disconnected(reason: 0x08)
    #expect(try summary(of: host.file()).causes(of: "supervision-timeout") == ["controller-failed"])
  }

  /// Nobody says that it failed: it takes those with it that were heard, and neither one on another adapter nor one that
  /// was about to end.
  @Test func `a controller that is reset all the same`() throws {
    var host = Self.talking
    host.connected(0x42, peer: 0x55)
    host.notified(on: 0x42, [0x16, 0x48, 0xE8, 0x03])
    host.command(0x0406, hex("42 00 13"))
    host.command(0x0C03)
    Self.reset(&host)
    Self.reset(&host)
    let found = try findings(host)
    let fate =
      "most likely Bluetooth was switched off here, or off and on again: the local host reset its controller, and this "
      + "connection and another one were over with it"
    #expect(found.map(\.message) == [fate, fate] && found.map(\.connection) == [1, 2])
    #expect(found.allSatisfy { $0.severity == .info && $0.frame == host.packets.count - 1 })
  }

  /// A host that has waited for an answer resets what does not give it; before the answer is late, nothing is wrong.
  /// What was answered later, or was another adapter's, is no reason.
  @Test(arguments: [(1000, nil), (2000, "2 s"), (5000, "5 s")] as [(Int64, String?)])
  func `a controller that does not answer is reset`(wait: Int64, waited: String?) throws {
    let commands: [(UInt16, [UInt8])] = [(0x1405, hex("01 05 14 00 40 00 a1")), (0x2006, hex("01 06 20 00"))]
    for (command, answer) in commands {
      var host = HostSide()
      host.connected()
      host.notified([0x16, 0x48, 0xE8, 0x03])
      host.command(command, hex("40 00"))
      host.event(0x0E, answer)
      host.notified([0x16, 0x48, 0xE8, 0x03])
      let answered = host
      host.command(command, hex("40 00"))
      for (isAnswered, var host) in [(true, answered), (false, host)] {
        host.wait(milliseconds: wait - 10)
        host.command(0x0C03)
        Self.reset(&host)
        let found = try host.findings()
        #expect(found.map(\.severity) == [isAnswered || waited == nil ? .info : .warning])
        guard !isAnswered, let waited else { continue }
        #expect(
          found.map(\.message) == [
            "the local host reset its controller, which had not answered a command for \(waited), and took this "
              + "connection with it"
          ])
      }
    }
  }

  /// A log without events holds no answers; that the reset came, the next command tells.
  @Test func `where no answers are logged, none is missed`() throws {
    var host = HostSide()
    host.notified([0x16, 0x48, 0xE8, 0x03])
    host.command(0x1405, hex("40 00"))
    host.wait(milliseconds: 5000)
    host.command(0x0C03)
    host.command(0x1001)
    #expect(try findings(host).map(\.severity) == [.info])
  }

  /// The system resets a controller that it switches off.
  @Test(arguments: [RecordContent.closeIndex, .deleteIndex]) func `a reset on the way to being switched off`(
    end: RecordContent
  ) throws {
    var host = Self.talking
    Self.reset(&host)
    host.add(end, .sent, [])
    #expect(try findings(host).isEmpty)
  }

  @Test func `a code that was cut away is not made up`() throws {
    var host = HostSide()
    Self.fail(&host)
    host.cutLast(to: 2)
    #expect(
      try findings(host).map(\.message) == [
        "the controller failed (Hardware Error, whose code is not in the capture) and took no connection with it; "
          + "the capture shows no reset behind it"
      ])
  }
}

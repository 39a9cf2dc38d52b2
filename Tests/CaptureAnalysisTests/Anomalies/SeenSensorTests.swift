import Testing
import TestSupport

@testable import CaptureAnalysis

/// A sensor that advertises, and to which nobody connects.
@Suite struct `Sensors that are seen and not connected` {
  /// What is said of one that lists the heart rate service again and again for twenty seconds.
  /// - Parameter events: LE events, each with its subevent code.
  private func message(_ events: [(code: UInt8, parameters: [UInt8])]) throws -> String? {
    var host = HostSide()
    for _ in 0..<3 {
      for event in events { host.leEvent(event.code, event.parameters) }
      host.wait(milliseconds: 10_000)
    }
    return try host.findings(of: "sensor-seen-not-connected").first?.message
  }

  /// A report as controllers send it, with one of the types of legacy ones.
  private func legacy(_ type: UInt8, _ data: String = "03 03 0d 18") -> (UInt8, [UInt8]) {
    (0x02, [1, type, 1] + HostSide.address(1) + [UInt8(hex(data).count)] + hex(data) + [0xC4])
  }

  private func extended(_ type: UInt8) -> (UInt8, [UInt8]) {
    let data = hex("03 03 0d 18")
    let header = hex("01 00 ff 7f c4 00 00 00 00 00 00 00 00 00") + [UInt8(data.count)]
    return (0x0D, [1, type, 0, 1] + HostSide.address(1) + header + data)
  }

  private static let refusal = "; it takes no connections: its advertising is not connectable"

  /// ADV_IND, ADV_DIRECT_IND, ADV_SCAN_IND, ADV_NONCONN_IND, and SCAN_RSP, which answers either of two.
  @Test(arguments: [
    ([0], false), ([1], false), ([2], true), ([3], true), ([4], false), ([2, 4], true), ([0, 3], false),
  ])
  func `take connections as their reports say`(types: [UInt8], isRefusal: Bool) throws {
    let message = try #require(try message(types.map { legacy($0) }))
    #expect(message.hasSuffix("no attempt to connect was made to it\(isRefusal ? Self.refusal : "")"), "\(message)")
  }

  /// Of extended reports a bit tells, but for scan responses: ADV_NONCONN_IND, and an extended one; ADV_IND, and an
  /// extended one; a response to a scan request.
  @Test(arguments: [
    ([0x10], true), ([0x00], true), ([0x13], false), ([0x01], false), ([0x1A], false), ([0, 1], false),
  ])
  func `take connections as the bits of extended reports say`(types: [UInt8], isRefusal: Bool) throws {
    let message = try #require(try message(types.map(extended)))
    #expect(message.hasSuffix(Self.refusal) == isRefusal, "\(message)")
  }

  /// The name comes from the air, and often only to whoever asks for it.
  @Test(arguments: [
    ("05 09 48 52 4d 31", " HRM1, C5:44:33:22:11:01,"), ("05 09 48 1b 5b 41", #" H\u{1B}[A, C5:44:33:22:11:01,"#),
    ("02 0a 00", " C5:44:33:22:11:01"),
  ])
  func `are told by their names`(data: String, words: String) throws {
    let message = try #require(try message([legacy(0), legacy(4, data)]))
    #expect(message.hasPrefix("the sensor\(words) advertised the heart rate service for 20.1 s;"), "\(message)")
  }

  /// The host tries to connect with the octets of the sensor's random static address as a public one, and gives up.
  private func askAsPublic(_ host: inout HostSide) {
    host.command(0x200D, hex("60 00 30 00 00 00 01 11 22 33 44 c5 00 18 00 28 00 00 00 2a 00 00 00 00 00"))
    host.cancelCreation(isPublic: true)
  }

  private func told(_ host: HostSide) throws -> [String] {
    let rules = ["sensor-seen-not-connected", "connection-given-up"]
    return try host.findings().filter { rules.contains($0.rule) }
      .map { "\($0.severity) \($0.message)" }
  }

  /// The same octets with the other type are nobody's address: that is said once, by one rule.
  @Test(arguments: [(1, "the host asked for"), (3, "the host asked 3 times for")])
  func `are asked for with the wrong type of address`(attempts: Int, beginning: String) throws {
    var host = HostSide()
    host.leEvent(0x02, legacy(0).1)
    for _ in 0..<attempts { askAsPublic(&host) }
    host.leEvent(0x02, legacy(0).1)
    #expect(
      try told(host) == [
        "warning \(beginning) C5:44:33:22:11:01 as a public address, and the sensor advertises it as a random static "
          + "one: nobody answers to what was asked for"
      ])
  }

  /// On the accept list beside another device, it is waited for in vain just so.
  @Test func `are on the accept list with the wrong type of address`() throws {
    var host = HostSide()
    host.event(0x0E, hex("01 03 0c 00"))
    host.command(0x2011, hex("00 01 11 22 33 44 c5"))
    host.event(0x0E, hex("01 11 20 00"))
    host.accept(peer: 2)
    host.createWithAcceptList()
    host.event(0x0F, hex("00 01 0d 20"))
    host.leEvent(0x02, legacy(0).1)
    host.wait(milliseconds: 20_000)
    host.leEvent(0x02, legacy(0).1)
    #expect(
      try told(host) == [
        "warning the host asked for C5:44:33:22:11:01 as a public address, and the sensor advertises it as a random "
          + "static one: nobody answers to what was asked for"
      ])
  }

  /// Beside attempts with the right type, those are no longer what went wrong.
  @Test func `are asked for with either type`() throws {
    var host = HostSide()
    host.leEvent(0x02, legacy(0).1)
    askAsPublic(&host)
    host.create()
    host.cancelCreation()
    #expect(
      try told(host) == [
        "info the sensor C5:44:33:22:11:01 advertised the heart rate service; the attempt to connect to it was given "
          + "up after 20 s"
      ])
  }

  /// One that was connected before is known to be a sensor, and its address to be of the other type.
  @Test func `are asked for with the wrong type after a connection`() throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0x16, 0x48])
    host.disconnected(reason: 0x16)
    askAsPublic(&host)
    #expect(
      try told(host) == [
        "warning the attempt to connect again to the sensor C5:44:33:22:11:01 as a public address was given up after "
          + "20 s: its own is a random static one, and nobody answers to the other"
      ])
  }

  /// Asked twice to give an attempt up, a controller refuses the second time: it does that already.
  @Test func `are given up twice`() throws {
    var host = lost()
    host.create()
    host.event(0x0F, hex("00 01 0d 20"))
    host.wait(milliseconds: 20_000)
    for status in ["00", "0c"] {
      host.command(0x200E)
      host.event(0x0E, hex("01 0e 20 " + status))
    }
    host.leEvent(0x01, hex("02 00 00 00 01") + HostSide.address(1) + hex("00 00 00 00 00 00 00"))
    let told = try told(host)
    #expect(told == [Self.givenUp + "20.1 s"])
  }

  /// Good-bye was said once, and the connection behind it was lost.
  @Test func `are gone, after they were back`() throws {
    var host = HostSide()
    for reason in [0x13, 0x08] as [UInt8] {
      host.subscribe()
      host.notified([0x16, 0x48])
      host.disconnected(reason: reason)
    }
    host.create()
    host.cancelCreation()
    #expect(
      try told(host) == [
        "warning the attempt to connect again to the sensor C5:44:33:22:11:01 was given up after 20 s"
      ])
  }

  /// A sensor that is switched off says good-bye, and is asked for once more in vain.
  @Test(arguments: [(0x13, 1), (0x15, 1), (0x13, 2), (0x08, 1), (0x16, 1)] as [(UInt8, Int)])
  func `are switched off`(reason: UInt8, count: Int) throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0x16, 0x48])
    host.disconnected(reason: reason)
    for _ in 0..<count {
      host.create()
      host.cancelCreation()
    }
    let isOff = reason != 0x08 && reason != 0x16 && count == 1
    let which = count == 1 ? "the attempt" : "both attempts"
    let length = count == 1 ? "was given up after 20 s" : "were given up after 40.1 s together"
    #expect(
      try told(host) == [
        "\(isOff ? "info" : "warning") \(which) to connect again to the sensor C5:44:33:22:11:01 \(length)"
          + (isOff ? "; it had ended the last connection itself" : "")
      ])
  }

  /// The list was filled before the capture, or is known to hold another device alone.
  @Test(arguments: [false, true]) func `while the host waits for whom the capture does not tell`(isKnown: Bool) throws {
    var host = HostSide()
    if isKnown {
      host.event(0x0E, hex("01 03 0c 00"))
      host.accept(peer: 2)
    }
    host.createWithAcceptList()
    host.leEvent(0x02, legacy(0).1)
    host.wait(milliseconds: 20_000)
    host.leEvent(0x02, legacy(0).1)
    let fate =
      isKnown
      ? "no attempt to connect was made to it"
      : "whether it was among those on the accept list that the host waited for is not in the capture"
    #expect(
      try told(host) == [
        "info the sensor C5:44:33:22:11:01 advertised the heart rate service for 20 s; \(fate)"
      ])
  }

  /// The host no longer waits for anyone on its accept list, and takes a device off that.
  private func stopWaiting(_ host: inout HostSide, removing peer: UInt8? = nil) {
    host.command(0x200E)
    host.event(0x0E, hex("01 0e 20 00"))
    host.leEvent(0x01, hex("02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"))
    guard let peer else { return }
    host.command(0x2012, [0x01] + HostSide.address(peer))
    host.event(0x0E, hex("01 12 20 00"))
  }

  private func wait(_ host: inout HostSide, seconds: Int64) {
    host.createWithAcceptList()
    host.event(0x0F, hex("00 01 0d 20"))
    host.wait(milliseconds: seconds * 1000)
  }

  /// A sensor was connected, and is lost.
  private func lost() -> HostSide {
    var host = HostSide()
    host.subscribe()
    host.notified([0x16, 0x48])
    host.disconnected(reason: 0x08)
    return host
  }

  private static let givenUp =
    "warning the attempt to connect again to the sensor C5:44:33:22:11:01 was given up after "

  /// Where the list is changed for another device, the host stops waiting, and goes on.
  @Test func `are asked for over an accept list that is changed meanwhile`() throws {
    var host = lost()
    host.accept(peer: 1)
    wait(&host, seconds: 10)
    stopWaiting(&host)
    host.wait(milliseconds: 5_000)
    host.accept(peer: 2)
    wait(&host, seconds: 20)
    stopWaiting(&host, removing: 1)
    let told = try told(host)
    #expect(told == [Self.givenUp + "30.1 s"])
  }

  /// Until it is taken from the list, it is waited for, unless the host does so for nobody.
  @Test func `stay on the accept list`() throws {
    var host = lost()
    host.accept(peer: 1)
    host.accept(peer: 2)
    wait(&host, seconds: 20)
    stopWaiting(&host)
    wait(&host, seconds: 20)
    #expect(try told(host) == [])
    stopWaiting(&host)
    let told = try told(host)
    #expect(told == [Self.givenUp + "40.1 s"])
  }

  /// What comes ends the waiting for all: for the others, the host asks anew. Removed without that, it was given up then.
  @Test func `are on the accept list with another, which comes`() throws {
    var host = lost()
    host.accept(peer: 1)
    host.accept(peer: 2)
    wait(&host, seconds: 20)
    host.connected(peer: 2)
    host.wait(milliseconds: 60_000)
    #expect(try told(host) == [])
    host.command(0x2012, [0x01] + HostSide.address(1))
    host.event(0x0E, hex("01 12 20 00"))
    #expect(try told(host) == [Self.givenUp + "20 s"])
  }

  /// Phones wait in the background for whatever they know, as long as it takes; and for what a user asks for, half a minute.
  @Test(arguments: [(30, true), (600, false)] as [(Int64, Bool)])
  func `may be one of which nothing is known`(seconds: Int64, isTold: Bool) throws {
    var host = HostSide()
    host.accept(peer: 1)
    wait(&host, seconds: seconds)
    stopWaiting(&host, removing: 1)
    let attempt = "info the attempt to connect to C5:44:33:22:11:01 was given up after 30 s"
    #expect(try told(host) == (isTold ? [attempt] : []))
  }

  /// That an app waits for a sensor that it knows is no fault of either.
  @Test func `are waited for in the background, as long as it takes`() throws {
    var host = lost()
    host.accept(peer: 1)
    wait(&host, seconds: 600)
    stopWaiting(&host, removing: 1)
    let told = try host.findings(of: "connection-given-up")
    #expect(told.map(\.severity) == [.info])
  }

  /// Headphones over BR/EDR, or a watch that asks for a connection itself, leave the accept list as it is.
  @Test(arguments: [true, false]) func `are waited for while somebody else connects`(isClassic: Bool) throws {
    var host = lost()
    host.accept(peer: 1)
    wait(&host, seconds: 10)
    if isClassic { host.connectedClassic(0x41, peer: 3) } else { host.connected(0x41, peer: 3, isPeripheral: true) }
    host.wait(milliseconds: 10_000)
    stopWaiting(&host, removing: 1)
    let told = try told(host)
    #expect(told == [Self.givenUp + "20.1 s"])
  }

  /// It comes, and is taken from the list: nothing was given up.
  @Test func `come over the accept list`() throws {
    var host = lost()
    host.accept(peer: 1)
    wait(&host, seconds: 20)
    host.connected()
    host.command(0x2012, [0x01] + HostSide.address(1))
    host.event(0x0E, hex("01 12 20 00"))
    #expect(try told(host) == [])
  }

  /// A controller that begins anew has nobody on its list; what comes then is another attempt.
  @Test func `are asked for over the accept list, before and after a reset`() throws {
    var host = lost()
    host.accept(peer: 1)
    wait(&host, seconds: 600)
    host.command(0x0C03)
    host.event(0x0E, hex("01 03 0c 00"))
    host.accept(peer: 1)
    wait(&host, seconds: 20)
    stopWaiting(&host, removing: 1)
    #expect(try told(host) == [Self.givenUp + "20 s"])
  }

  /// The command was refused: nobody was waited for.
  @Test func `are asked for over the accept list, and the controller refuses`() throws {
    var host = lost()
    host.accept(peer: 1)
    for _ in 0..<2 {
      host.createWithAcceptList()
      host.wait(milliseconds: 20_000)
      host.event(0x0F, hex("0d 01 0d 20"))
    }
    #expect(try told(host) == [])
  }
}

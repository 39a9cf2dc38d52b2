import CaptureSources
import LiveCapture
import Testing
import TestSupport

extension LoopbackListener {
  /// Accepts who connects, as he goes on trying.
  fileprivate func accept(_ input: inout LiveInput) throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while !accept(within: 10) {
      try #require(ContinuousClock.now < deadline, "nobody connects")
      if Readiness.wait(for: input.readiness, or: [], atMost: .zero).source { _ = try input.fill() }
    }
  }
}

@Suite(.serialized) struct `Ports that send a capture` {
  @Test(arguments: ["localhost", "127.0.0.1", "", "[::ffff:127.0.0.1]"])
  func `are read, and connected to again`(host: String) throws {
    let listener = try LoopbackListener()
    var input = try LiveInput.host(#require(HostAndPort("\(host):\(listener.port)")))
    try listener.accept(&input)
    listener.send([1, 2, 3])
    #expect(try input.take(3) == [1, 2, 3])
    listener.send([4])
    listener.hangUp()
    #expect(try input.take(1) == [4])
    let ended = try input.sentence()
    #expect(!ended.isAnew && ended.text.contains("trying again"))
    let again = try input.sentence()
    #expect(again.isAnew && again.isGap && again.text.contains("connected again"))
    try #require(listener.accept())
    listener.send([5])
    #expect(try input.take(1) == [5])
  }

  /// What happens while nobody is there never comes; and what came before does not tell what comes behind it.
  @Test func `tell of a silence only while they are there`() throws {
    let listener = try LoopbackListener()
    var input = try LiveInput.host(#require(HostAndPort("127.0.0.1:\(listener.port)")))
    try listener.accept(&input)
    for _ in 1...2 {
      #expect(!input.isPrompt)
      listener.send([1])
      #expect(try input.take(1) == [1])
      input.noteDelivery(of: 0)
      #expect(!input.isPrompt)
      input.noteDelivery(of: 1)
      #expect(input.isPrompt)
      listener.hangUp()
      #expect(try !input.sentence().isAnew && !input.isPrompt)
      #expect(try input.sentence().isAnew && !input.isPrompt)
      try #require(listener.accept())
    }
  }

  /// The first attempt tells whether there is anybody; later ones do not give up.
  @Test func `have to be there at first`() throws {
    let listener = try LoopbackListener()
    let port = listener.port
    let place = try #require(HostAndPort("127.0.0.1:\(port)"))
    var input = try LiveInput.host(place)
    try listener.accept(&input)
    listener.send([1])
    #expect(try input.take(1) == [1])
    listener.hangUp()
    listener.close()
    #expect(try input.sentence().text.contains("has ended"))
    #expect(throws: SourceError.self) {
      // What another test starts just now has this process's ports for a moment, until it is a program of its own.
      while true {
        var late = try LiveInput.host(place)
        _ = try late.step()
      }
    }
    // Refused at first, then back.
    let waiting = ContinuousClock.now + .milliseconds(700)
    while ContinuousClock.now < waiting {
      if Readiness.wait(for: input.readiness, or: [], atMost: .milliseconds(50)).source { _ = try input.fill() }
    }
    let successor = try LoopbackListener(port: port)
    #expect(try input.sentence().isAnew)
    try #require(successor.accept())
    successor.send([2])
    #expect(try input.take(1) == [2])
  }

  @Test(arguments: ["", "localhost", "localhost:", "localhost:0", "localhost:70000", "localhost:-1", ":"])
  func `have a number`(place: String) {
    #expect(HostAndPort(place) == nil)
  }

  @Test(arguments: ["no.such.host.invalid:80", "[:80"])
  func `have a host that there is`(place: String) throws {
    let place = try #require(HostAndPort(place))
    #expect(throws: SourceError.self) { try LiveInput.host(place) }
  }
}

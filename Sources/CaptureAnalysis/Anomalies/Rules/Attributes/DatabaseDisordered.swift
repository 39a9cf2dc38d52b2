import BluetoothHost
import GATTKit

/// A server whose answers to discovery contradict themselves.
struct DatabaseDisordered: AnomalyRule {
  static let about = RuleDescription(
    "database-disordered", .error,
    finds: "Answers to discovery with a handle 0, handles that do not rise or were not asked for, a service that ends "
      + "before it starts, or a characteristic's value that does not follow its declaration or lies outside its service. "
      + "Where the capture lacks other answers, as it seems, handles that were not asked for are only noted.",
    matters: "Clients stop discovery, go round in circles, or take one attribute for another.",
    advice:
      "Report it to the maker of the server: handles are 0x0001 to 0xffff, and rise from one attribute to the next.",
    reference: "Core 6.0, Vol 3, Part F, 3.2.2",
    examples: [
      .finds(
        "a service ends before it starts", after: .connected,
        [.sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 0d 00 0d 18")]),
      .finds(
        "services in falling order", after: .connected,
        [.sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18 01 00 07 00 00 18")]),
      .finds(
        "a service begins within the one before", after: .connected,
        [.sent("10 01 00 ff ff 00 28"), .received("11 06 01 00 10 00 00 18 0e 00 13 00 0d 18")]),
      .finds(
        "a handle 0", after: .connected, [.sent("08 01 00 ff ff 03 28"), .received("09 07 00 00 10 10 00 37 2a")]),
      .finds(
        "a value before its declaration", after: .connected,
        [.sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 10 0e 00 37 2a")]),
      .finds(
        "a value outside its service", after: .connected,
        [
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"), .sent("08 0e 00 13 00 03 28"),
          .received("09 07 13 00 10 14 00 37 2a"),
        ]),
      .finds(
        "a descriptor that was not asked for, twice, which is told once", after: .connected,
        [
          .sent("04 11 00 11 00"), .received("05 01 12 00 02 29"), .sent("04 11 00 11 00"),
          .received("05 01 12 00 02 29"),
        ]),
      .finds(
        "a service ends before it starts, and another has the handle 0, each of which is told", after: .connected,
        [
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 0d 00 0d 18"), .sent("10 0f 00 ff ff 00 28"),
          .received("11 06 00 00 10 00 0f 18"),
        ], count: 2),
      .quiet("an orderly discovery", []),
      .quiet(
        "another table, as an attribute tells that was not discovered", after: .connected,
        [
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"), .received("1d 03 00 01 00 ff ff"),
          .sent("1e"), .sent("08 10 00 15 00 03 28"), .received("09 07 13 00 10 14 00 37 2a"),
        ]),
      .quiet(
        "another table, as an attribute tells that was not indicated by the old one", after: .connected,
        [
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"), .sent("08 0e 00 13 00 03 28"),
          .received("09 07 0f 00 02 10 00 38 2a"), .received("1d 10 00 01 00 ff ff"), .sent("1e"),
          .sent("08 10 00 15 00 03 28"), .received("09 07 13 00 10 14 00 37 2a"),
        ]),
      .quiet(
        "a service has moved, as the client learns from an error, and from nothing in the capture", after: .connected,
        .times(
          2,
          [
            .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18 14 00 17 00 0f 18"),
            .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 15 00 0d 18 16 00 19 00 0f 18"),
            .sent("08 16 00 19 00 03 28"), .received("09 07 17 00 12 18 00 19 2a"), .sent("0a 18 00"),
            .received("01 0a 18 00 12"),
          ])),
      .quiet(
        "a last service without an end", after: .connected,
        [.sent("10 01 00 ff ff 00 28"), .received("11 06 01 00 07 00 00 18 0e 00 ff ff 0d 18")]),
      .quiet(
        "an answer whose request is not in the capture", after: .connected, [.received("09 07 0f 00 10 0e 00 37 2a")]),
      .quiet(
        "one declaration alone is asked for", after: .connected,
        [.sent("08 0f 00 0f 00 03 28"), .received("09 07 0f 00 10 10 00 37 2a")]),
    ])
  static let dialogue: DialogueTraits = [.discovery, .tableChange]

  /// What is wrong, in which kind of answer.
  private struct Fault: Hashable {
    enum Kind { case zero, falling, backwards, valueBefore, valueOutside }

    let opcode: ATTOpcode?
    let kind: Kind
    let server: ServerSide
  }

  private static let mostServices = 64
  private var faults = RuleTallies<Fault>()
  /// Answers with handles that were not asked for.
  private var unasked = RuleTallies<ServerSide>()
  /// The services of either server, to see what lies in them.
  private var services: [(server: ServerSide, range: AttributeRange, moment: Moment)] = []

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .dialogue(.pdu(let pdu)) = event.content else { return }
    // Behind a loss, the connection may be another one.
    if !scene.isSameTable { services.removeAll { scene.hasLost(since: $0.moment) } }
    if let server = pdu.changedServer { services.removeAll { $0.server == server } }
    guard case .response(let asked?) = scene.dialogue.step, let range = asked.pdu.range, pdu.opcode != .errorResponse
    else { return }
    var previous: UInt16 = 0
    var fault: (kind: Fault.Kind, words: String)?
    var stray: UInt16?
    pdu.forEachEntry { place in
      guard fault == nil, let handle = pdu.uint16(at: place) else { return }
      if handle == 0 {
        fault = (.zero, "handle 0x0000, which no attribute has")
      } else if handle <= previous {
        fault = (.falling, "handle \(handleWords(handle)) behind \(handleWords(previous))")
      } else if range.contains(handle) {
        fault = self.fault(in: pdu, at: place, handle, asked.pdu, scene.moment)
      } else if stray == nil {
        stray = handle
      }
      previous = max(handle, pdu.groupEnd(at: place) ?? 0)
    }
    let server = asked.pdu.askedServer
    let answer = "the \(pdu.name)\(server.ofWhom)"
    if let fault {
      let kind = Fault(opcode: pdu.opcode, kind: fault.kind, server: server)
      faults.note(kind, scene.moment, "\(answer) has \(fault.words)")
    } else if let stray {
      unasked.note(
        server, scene.moment,
        "\(answer) has handle \(handleWords(stray)), where \(handleWords(range)) was asked for")
    }
  }

  /// What is wrong with one entry by itself.
  private mutating func fault(
    in pdu: ATTDialoguePDU, at place: Int, _ handle: UInt16, _ request: ATTDialoguePDU, _ moment: Moment
  ) -> (kind: Fault.Kind, words: String)? {
    switch pdu.opcode {
    case .findByTypeValueResponse, .readByGroupTypeResponse:
      guard let end = pdu.groupEnd(at: place) else { return nil }
      let range = AttributeRange(start: handle, end: end)
      if end < handle { return (.backwards, "a service from \(handleWords(range))") }
      // What is told last holds: the table may have changed, and the capture lack what told so.
      services.removeAll { $0.server == request.askedServer && $0.range.start <= end && handle <= $0.range.end }
      if services.count < Self.mostServices { services.append((request.askedServer, range, moment)) }
      return nil
    case .readByTypeResponse where request.askedType == .characteristic:
      guard let value = pdu.uint16(at: place + 3) else { return nil }
      if value <= handle {
        let words = "a characteristic declared at \(handleWords(handle)) with its value at \(handleWords(value))"
        return (.valueBefore, words)
      }
      let service = services.first { $0.server == request.askedServer && $0.range.contains(handle) }
      guard let service, value > service.range.end else { return nil }
      let words = "a value \(handleWords(value)) behind the end of its service, \(handleWords(service.range.end))"
      return (.valueOutside, words)
    default: return nil
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    faults.report(Self.self, &scene)
    unasked.report(Self.self, &scene, doubt: scene.dialogue.doubt)
  }
}

extension ATTDialoguePDU {
  /// Where the group ends that an entry of an answer tells of; nil if it tells of no group.
  fileprivate func groupEnd(at place: Int) -> UInt16? {
    opcode == .findByTypeValueResponse || opcode == .readByGroupTypeResponse ? uint16(at: place + 2) : nil
  }
}

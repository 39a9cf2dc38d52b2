import BluetoothHost
import GATTKit

/// A server with more than one heart rate service.
struct SeveralHeartRateServices: AnomalyRule {
  static let about = RuleDescription(
    "several-heart-rate-services", .info,
    finds: "A server that has more than one Heart Rate service.",
    matters: "The profile knows one only: which of them an app takes is chance, and only one may ever notify.",
    advice: "See which of them sends measurements; the sensor's maker should offer one.",
    reference: "HRP 1.0",
    examples: [
      .finds(
        "two of them", after: .connected,
        [
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18 14 00 19 00 0d 18"),
          .sent("10 1a 00 ff ff 00 28"), .received("01 10 1a 00 0a"),
        ]),
      .quiet("one of them", [.values(["00 48"])]),
      .quiet(
        "one, found twice", [.sent("06 01 00 ff ff 00 28 0d 18"), .received("07 0e 00 13 00")]),
      .quiet(
        "it has moved, and the server has said so",
        [
          .sent("10 01 00 ff ff 00 28"), .received("11 06 01 00 04 00 01 18"), .sent("08 01 00 04 00 03 28"),
          .received("09 07 02 00 20 03 00 05 2a"), .received("1d 03 00 01 00 ff ff"), .sent("1e"),
          .sent("10 01 00 ff ff 00 28"), .received("11 06 20 00 25 00 0d 18"),
        ]),
    ])
  static let events: EventSelection = EventSelection(.service)
  static let dialogue: DialogueTraits = .tableChange

  private static let most = 8
  private var found = BothServers<[(range: AttributeRange, moment: Moment)]>([])

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .dialogue(.pdu(let pdu)) where pdu.indicatesServiceChanged:
      report(pdu.direction.server, &scene)
      found[pdu.direction.server] = []
    case .service(let service): note(service, scene.moment)
    default: break
    }
  }

  private mutating func note(_ service: ServiceEvent, _ moment: Moment) {
    let range = service.range
    guard service.uuid == .heartRateService else {
      // Where another begins now, there is none any more. Where services end is not always told.
      return found[service.server].removeAll { $0.range.start == range.start }
    }
    let others = found[service.server]
    guard others.count < Self.most,
      others.allSatisfy({ $0.range.end < range.start || range.end < $0.range.start })
    else { return }
    found[service.server].append((range, moment))
  }

  mutating func finish(_ scene: inout RuleScene) {
    for server in ServerSide.allCases { report(server, &scene) }
  }

  private func report(_ server: ServerSide, _ scene: inout RuleScene) {
    let found = found[server]
    guard found.count > 1, let first = found.first, let last = found.last else { return }
    let ranges = found.map { handleWords($0.range) }
    scene.report(
      Self.self, "\(found.count) Heart Rate services\(server.ofWhom): \(ranges.joined(separator: ", "))",
      over: RecordSpan(from: first.moment, to: last.moment, count: found.count))
  }
}

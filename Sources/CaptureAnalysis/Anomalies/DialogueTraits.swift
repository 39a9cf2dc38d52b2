import BluetoothHost
import GATTKit

/// What is remarkable in a PDU over an ATT bearer, by itself or beside those before it: found once, and asked by every
/// rule.
struct DialogueTraits: OptionSet, BitwiseCopyable {
  let rawValue: UInt32

  /// It belongs to a discovery: a request, its response, or the error that ends it.
  static let discovery = Self(bit: 0)
  /// It exchanges the MTU.
  static let mtu = Self(bit: 1)
  /// It writes, or answers a write.
  static let write = Self(bit: 2)
  /// It indicates.
  static let indication = Self(bit: 3)
  /// It is about an attribute of the heart rate service, or answers what is.
  static let heartRate = Self(bit: 4)
  /// It tells, or asks, whether the server's table has changed.
  static let tableChange = Self(bit: 5)
  /// It comes after such a change.
  static let afterChange = Self(bit: 6)
  /// It is a request or an indication behind another that waits.
  static let behind = Self(bit: 7)
  /// It answers nothing, or nothing that came by its bearer.
  static let unpaired = Self(bit: 8)
  /// It answers what has waited longer than a transaction may take.
  static let overdue = Self(bit: 9)
  /// It is longer than the ATT_MTU, and than any bearer takes at least.
  static let long = Self(bit: 10)
  /// The capture kept a part of it only.
  static let cut = Self(bit: 11)
  /// Something was lost.
  static let lost = Self(bit: 12)
  /// It is the answer that proves that requests were sent behind others that waited.
  static let overlap = Self(bit: 13)
  /// A bearer is closed.
  static let closing = Self(bit: 14)
  /// It says that nothing is at a handle.
  static let gone = Self(bit: 15)

  init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(bit: UInt32) { rawValue = 1 << bit }

  /// What can be told of a PDU by itself.
  init(of event: ATTDialogueEvent) {
    guard case .pdu(let pdu) = event else {
      self =
        switch event {
        case .lost: .lost
        case .closed: .closing
        default: []
        }
      return
    }
    self = pdu.isCut ? .cut : []
    if pdu.changedServer != nil { insert(.tableChange) }
    if pdu.attribute?.heartRateRole != nil { insert(.heartRate) }
    switch pdu.opcode {
    case .exchangeMTURequest, .exchangeMTUResponse: insert(.mtu)
    case .handleValueIndication: insert(.indication)
    case .errorResponse where pdu.refused == .findByTypeValueRequest || pdu.refused == .readByGroupTypeRequest:
      insert(.discovery)
    case let opcode? where opcode.isDiscovery || opcode.request.isDiscovery: insert(.discovery)
    default: if pdu.isWrite { insert(.write) }
    }
  }
}

extension ATTDialoguePDU {
  /// Whether it writes, at once or in parts.
  fileprivate var isWrite: Bool { writesAttribute || opcode == .executeWriteRequest }

  /// Whose table has changed, as this tells, or may have, as it asks; nil if it is about none.
  var changedServer: ServerSide? { serverTellingOfChange ?? (asksForDatabaseHash ? askedServer : nil) }

  /// Who tells with this that its table has changed; nil if nobody does.
  var serverTellingOfChange: ServerSide? {
    indicatesServiceChanged || error == .databaseOutOfSync ? direction.server : nil
  }
}

extension RuleScene {
  /// What can be told of a PDU beside those before it; `take` has paired it already.
  mutating func dialogueTraits(of event: ATTDialogueEvent) -> DialogueTraits {
    guard case .pdu(let pdu) = event else { return [] }
    var traits: DialogueTraits = lastTableChange.peer == nil && lastTableChange.local == nil ? [] : .afterChange
    if let server = pdu.changedServer { lastTableChange[server] = moment }
    if pdu.length > ATTConversation.leastMTU, let mtu = mtu(of: pdu.bearer), pdu.length > mtu { traits.insert(.long) }
    switch dialogue.step {
    case .request(_?), .indication(_?): traits.insert(.behind)
    case .response(nil), .straying, .confirmation(nil): traits.insert(.unpaired)
    case .response(let asked?), .confirmation(let asked?):
      if asked.age(at: moment) >= ATTDialogue.timeout { traits.insert(.overdue) }
      if dialogue.provesOverlap { traits.insert(.overlap) }
      if let error = pdu.error, asked.misses(error) { traits.insert(.gone) }
      if asked.pdu.attribute?.heartRateRole != nil { traits.insert(.heartRate) }
      if asked.pdu.range != nil { traits.insert(.discovery) }
      if asked.pdu.isWrite { traits.insert(.write) }
    case .request, .indication, .other: break
    }
    return traits
  }
}

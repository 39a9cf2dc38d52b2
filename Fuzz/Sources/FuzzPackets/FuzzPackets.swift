import BluetoothHost
import FuzzSupport
import GATTKit
import Octets

/// The parsers of packets, one by one. The first octet chooses, the second says how many octets the capture cut off.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPackets(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe withInput(start, count) { input in
    guard count > 1 else { return }
    let octets = input.extracting(2..<input.count)
    let captured = CapturedOctets(octets, length: octets.count + Int(input[1]), origin: 2)
    var walk = Walk()
    do throws(ParsingError) {
      switch input[0] % 6 {
      case 0: try walk.visit(ATTPDU(parsing: captured))
      case 1: try walk.visit(signalling: captured)
      case 2: walk.visit(try L2CAPPDU(parsing: captured).payload)
      case 3: try walk.visit(HCIPacket(parsing: captured, as: .command))
      case 4: try walk.visit(HCIPacket(parsing: captured, as: .event))
      default: try walk.visit(advertising: captured)
      }
    } catch {
      check(error.offset >= 0 && error.offset <= count, "an error at octet \(error.offset) of \(count): \(error)")
      check(!error.description.isEmpty && !error.layer.isEmpty, "an error without words")
    }
  }
  return 0
}

/// Looks at everything in a packet.
private struct Walk {
  private var sum = Checksum()

  mutating func visit(_ octets: CapturedOctets) {
    check(octets.octets.count <= octets.length, "more is kept than was sent")
    sum.add(octets.octets)
  }

  mutating func visit(_ pdu: ATTPDU) throws(ParsingError) {
    switch pdu {
    case .findInformationResponse(var list):
      while let entry = list.next() { sum.add("\(entry.handle) \(entry.type)") }
    case .findByTypeValueResponse(var list):
      while let range = list.next() { sum.add(range.start ^ range.end) }
    case .readByTypeResponse(var list), .readByGroupTypeResponse(var list):
      while let entry = list.next() { visit(entry) }
    case .readMultipleRequest(var list), .readMultipleVariableRequest(var list):
      while let handle = list.next() { sum.add(handle) }
    case .multipleHandleValueNotification(var list):
      while let entry = try list.next() { visit(entry.value) }
    case .findByTypeValueRequest(_, let type, let value):
      sum.add(type.description)
      visit(value)
    case .readByTypeRequest(_, let type), .readByGroupTypeRequest(_, let type): sum.add(type.description)
    case .readResponse(let value), .readBlobResponse(let value), .readMultipleResponse(let value),
      .readMultipleVariableResponse(let value), .writeRequest(_, let value), .writeCommand(_, let value),
      .signedWriteCommand(_, let value), .prepareWriteRequest(_, _, let value), .prepareWriteResponse(_, _, let value),
      .handleValueNotification(_, let value), .handleValueIndication(_, let value), .unknown(_, let value):
      visit(value)
    case .errorResponse(let request, let handle, let error):
      sum.add("\(request.name ?? "") \(handle) \(error.name ?? "")")
    default: break
    }
  }

  mutating func visit(signalling octets: CapturedOctets) throws(ParsingError) {
    var commands = SignallingCommands(parsing: octets)
    while let command = try commands.next() { sum.add("\(command)") }
  }

  mutating func visit(_ packet: HCIPacket) throws(ParsingError) {
    switch packet {
    case .command(let command):
      visit(command.parameters)
      if let create = try CreateConnection(command.opcode, parsing: command.parameters) { sum.add("\(create)") }
    case .event(let event):
      visit(event.parameters)
      try visit(event: event)
    case .aclData(let data): visit(data.data)
    }
  }

  /// Every parser of events gets its turn, whatever the event's code.
  private mutating func visit(event: HCIEvent) throws(ParsingError) {
    var reader = event.parameters.reader("HCI event")
    switch event.code.rawValue % 13 {
    case 0: sum.add("\(try ConnectionComplete(parsingLE: &reader, enhanced: false))")
    case 1: sum.add("\(try ConnectionComplete(parsingLE: &reader, enhanced: true))")
    case 2: sum.add("\(String(describing: try ConnectionComplete(parsingBREDR: event.parameters)))")
    case 3: sum.add("\(try DisconnectionComplete(parsing: event.parameters))")
    case 4: sum.add("\(try ConnectionUpdateComplete(parsing: &reader))")
    case 5: sum.add("\(try EncryptionChange(parsing: event.parameters, isRefresh: false))")
    case 6: sum.add("\(try DataLengthChange(parsing: &reader))")
    case 7: sum.add("\(try PHYUpdateComplete(parsing: &reader))")
    case 8: sum.add("\(try RemoteVersionInformation(parsing: event.parameters))")
    case 9: sum.add("\(try RemoteName(parsing: event.parameters))")
    case 10: sum.add("\(try CommandStatus(parsing: event.parameters))")
    case 11:
      guard var counts = CompletedPackets(parsing: event.parameters.octets) else { return }
      while let next = counts.next() { sum.add("\(next)") }
    default:
      let complete = try CommandComplete(parsing: event.parameters)
      visit(complete.returnParameters)
      sum.add("\(try ReadRSSIReturn(parsing: complete.returnParameters))")
    }
  }

  mutating func visit(advertising octets: CapturedOctets) throws(ParsingError) {
    guard var reports = AdvertisingReports(parsing: OctetWindow(octets.octets)) else { return }
    while let report = reports.next() {
      sum.add("\(report.address) \(report.rssi ?? 0)")
      var structures = AdvertisingStructures(report.data)
      while let structure = structures.next() {
        sum.add(structure.type.rawValue)
        sum.add(structure.data.octets)
      }
    }
  }
}

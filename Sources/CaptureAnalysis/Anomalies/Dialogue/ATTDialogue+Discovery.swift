import BluetoothHost
import GATTKit

// Requests and responses of discovery, read as far as rules need: by places, since they may contradict themselves.

extension ATTDialoguePDU {
  /// The handles that a request of discovery asks for.
  var range: AttributeRange? {
    guard let opcode, opcode.isDiscovery, let start = uint16(at: 1), let end = uint16(at: 3) else { return nil }
    return AttributeRange(start: start, end: end)
  }

  /// The type of attribute that a request by type asks for, of 16 or 128 bits; nil if it is not all there.
  /// Core 6.0, Vol 3, Part F, 3.4.4.1 and 3.4.4.9.
  var askedType: BluetoothUUID? {
    switch opcode {
    case .findByTypeValueRequest: uint16(at: 5).map { BluetoothUUID($0) }
    case .readByTypeRequest, .readByGroupTypeRequest:
      isCut || octets.count < 5 ? nil : try? BluetoothUUID(octets: octets[5...])
    default: nil
    }
  }

  /// The type of service, of 16 or 128 bits, that a Find By Type Value Request asks for; nil if it is not all there.
  /// Core 6.0, Vol 3, Part F, 3.4.3.3.
  var askedService: BluetoothUUID? {
    guard opcode == .findByTypeValueRequest, askedType == .primaryService, !isCut else { return nil }
    return try? BluetoothUUID(octets: octets[7...])
  }

  /// Whether it reads the Database Hash, or finds it: whoever does compares it with the one it knew.
  var asksForDatabaseHash: Bool { attribute?.uuid == .databaseHash || askedType == .databaseHash }

  /// Shows the place of each whole entry in an answer to discovery. Core 6.0, Vol 3, Part F, 3.4.3 and 3.4.4.
  func forEachEntry(_ body: (Int) -> Void) {
    let (header, size): (Int, Int)
    switch opcode {
    // A handle, and a type of 2 octets (format 1) or 16.
    case .findInformationResponse where octets.count >= 2: (header, size) = (2, octets[1] == 1 ? 4 : 18)
    case .findByTypeValueResponse: (header, size) = (1, 4)
    case .readByTypeResponse where octets.count >= 2, .readByGroupTypeResponse where octets.count >= 2:
      (header, size) = (2, Int(octets[1]))
    default: return
    }
    guard size >= 2 else { return }
    var place = header
    while place + size <= octets.count {
      body(place)
      place += size
    }
  }

  /// Whether an answer does not contradict this request, as far as that can be told: the handle in an error is one that it
  /// asked for.
  func mayBeAnswered(by answer: ATTDialoguePDU) -> Bool {
    guard answer.opcode == .errorResponse else { return answer.captured.mayAnswer(captured) ?? true }
    guard let asked = askedHandles, let handle = answer.uint16(at: 2) else { return true }
    return asked.contains(handle)
  }

  private var captured: CapturedOctets {
    @_lifetime(borrow self) get { CapturedOctets(octets.span, length: length, origin: 0) }
  }

  /// The handles that a request is about; nil for one that is about none, or about several.
  private var askedHandles: AttributeRange? {
    switch opcode {
    case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest:
      uint16(at: 1).map { AttributeRange(start: $0, end: $0) }
    default: range
    }
  }

  /// Whether its entries are not in the order of their handles, as a server has to answer.
  var isInDisorder: Bool {
    var (last, isInDisorder) = (0, false)
    forEachEntry { place in
      let handle = uint16(at: place).map { Int($0) } ?? .max
      if handle <= last { isInDisorder = true }
      last = handle
    }
    return isInDisorder
  }
}

extension ATTOpcode {
  /// Whether it is a request by which services are found.
  var findsServices: Bool { self == .readByGroupTypeRequest || self == .findByTypeValueRequest }
}

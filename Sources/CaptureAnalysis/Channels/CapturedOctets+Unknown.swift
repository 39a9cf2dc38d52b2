import BluetoothHost
import GATTKit
import Octets

// What a PDU may be whose channel does not tell.

extension CapturedOctets {
  /// Whether a whole SDU has the length that an ATT PDU with its first octet has, and, where it has elements of one length,
  /// whether they fill it; false if what is needed of it was cut away. Core 6.0, Vol 3, Part F, 3.4.
  var mayBeATT: Bool {
    guard let opcode, opcode.mayHave(length: length) else { return false }
    switch opcode {
    case .errorResponse: return octets.count >= 4
    case .readRequest, .exchangeMTURequest, .exchangeMTUResponse: return !isCut
    case .findInformationResponse:
      guard octets.count >= 2, octets[1] == 1 || octets[1] == 2 else { return false }
      return (length - 2) % (octets[1] == 1 ? 4 : 18) == 0
    case .findByTypeValueResponse: return (length - 1) % 4 == 0
    case .readByTypeResponse, .readByGroupTypeResponse:
      return octets.count >= 2 && octets[1] >= 3 && (length - 2) % Int(octets[1]) == 0
    case .findInformationRequest, .readBlobRequest, .readByTypeRequest, .readByGroupTypeRequest,
      .findByTypeValueRequest, .readMultipleRequest, .readMultipleVariableRequest, .writeRequest, .prepareWriteRequest,
      .handleValueNotification, .handleValueIndication, .multipleHandleValueNotification:
      return octets.count >= 3
    default: return true
    }
  }

  /// The number at an offset; 0 if it is not all there.
  func uint16(orZeroAt offset: Int) -> UInt16 {
    OctetWindow(octets, count: offset + 2)?.uint16(at: offset) ?? 0
  }

  /// Whether a PDU of which something was cut away may be one, as far as its opcode and its length tell.
  var mayBeCutATT: Bool { opcode?.mayHave(length: length) ?? true }

  /// Whether all that a PDU holds is as it must be, as far as it was kept.
  var isSound: Bool {
    guard !isCut else { return true }
    switch try? ATTPDU(parsing: self) {
    case nil: return false
    case .errorResponse(let request, _, let error)?: return request.isRequest && error.name != nil
    case .findByTypeValueResponse(let list)?: return list.isOrdered
    case .readByTypeResponse(let list)?, .readByGroupTypeResponse(let list)?: return list.isOrdered
    case .readMultipleRequest?, .readMultipleVariableRequest?: return length % 2 == 1
    case .multipleHandleValueNotification(var list)?:
      do { while try list.next() != nil {} } catch { return false }
      return true
    default: return true
    }
  }

  /// Whether a notification is a heart rate's, as far as its value can tell; nil if it may be one, or may not.
  var isMeasurement: Bool? { opcode == .handleValueNotification ? dropping(3).isMeasurementValue : nil }

  /// Whether a value is a heart rate's, as far as flags, a length that agrees with them, and a rate that a heart has can
  /// tell; nil if it may be one, or may not: without flags, any two octets would do, and a sensor that is not worn has no
  /// rate.
  var isMeasurementValue: Bool? {
    let reading = HeartRateMeasurement.Reading(lax: octets, length: length, origin: origin)
    guard let flags = reading.flags, let rate = reading.beatsPerMinute else {
      return isCut && !reading.isMalformed ? nil : false
    }
    guard !reading.isMalformed, flags.isDisjoint(with: .reserved) else { return false }
    if flags.isEmpty || rate == 0 { return nil }
    return MeasurementEvidence.plausible.contains(Int(rate))
  }

  /// Whether a value is not as long as one of a type has to be, of those that sensors send beside heart rates and whose
  /// length is known: a Battery Level and a Body Sensor Location have one octet, a CSC and an RSC Measurement what their
  /// flags tell, a Cycling Power Measurement flags and power at least.
  func contradicts(_ type: BluetoothUUID) -> Bool {
    !octets.isEmpty && type.excludes(length: length, flags: octets[0])
  }
}

extension BluetoothUUID {
  /// Whether a value of this type is not as long as that, if its first octet is this one; false where nobody knows.
  func excludes(length: Int, flags: UInt8) -> Bool {
    func fields(_ least: Int, _ first: Int, _ second: Int) -> Int {
      least + (flags & 1 != 0 ? first : 0) + (flags & 2 != 0 ? second : 0)
    }
    return switch self {
    case .batteryLevel, .bodySensorLocation: length > 1
    // Wheel revolutions and their time, crank revolutions and theirs.
    case BluetoothUUID(0x2A5B): length != fields(1, 6, 4)
    // Speed and cadence; stride length, total distance.
    case BluetoothUUID(0x2A53): length != fields(4, 2, 4)
    case BluetoothUUID(0x2A63): length < 4
    default: false
    }
  }
}

// MARK: - Other protocols over BR/EDR

extension CapturedOctets {
  /// Whether what looks like an ATT PDU is a frame of another protocol, by a length that is its own.
  var isRatherForeign: Bool { isRFCOMM || isSDP || wholeSDU.length > 0 || isOfNoAttribute }

  /// Whether it is a whole frame of RFCOMM: an address, a control field, a length, perhaps a credit, what is as long, and a
  /// check sequence. RFCOMM 1.1, 4.2 and 6.5.
  private var isRFCOMM: Bool {
    guard octets.count >= 3, octets[0] & 1 == 1 else { return false }
    // SABM, UA, DM, DISC and UIH, each with its Poll/Final bit or without.
    guard [0x2F, 0x63, 0x0F, 0x43, 0xEF].contains(octets[1] & ~0x10) else { return false }
    let isLong = octets[2] & 1 == 0
    guard !isLong || octets.count >= 4 else { return false }
    let told = Int(octets[2] >> 1) | (isLong ? Int(octets[3]) << 7 : 0)
    let rest = length - (isLong ? 4 : 3) - told
    return rest == 1 || rest == 2 && octets[1] == 0xFF
  }

  /// Whether it is a whole PDU of SDP: its identifier, a transaction's number, a length, what is as long. Core 6.0, Vol 3,
  /// Part B, 4.2.
  private var isSDP: Bool {
    guard octets.count >= 5, (0x01...0x07).contains(octets[0]) else { return false }
    return Int(octets[3]) << 8 | Int(octets[4]) == length - 5
  }

  /// Whether it asks for an attribute that no server has, or for a range that is none. Core 6.0, Vol 3, Part F, 3.2.2.
  private var isOfNoAttribute: Bool {
    switch opcode {
    case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
      uint16(orZeroAt: 1) == 0 || octets.count >= 5 && uint16(orZeroAt: 3) < uint16(orZeroAt: 1)
    case .readRequest, .readBlobRequest, .writeRequest, .writeCommand, .prepareWriteRequest, .handleValueNotification,
      .handleValueIndication:
      uint16(orZeroAt: 1) == 0
    default: false
    }
  }
}

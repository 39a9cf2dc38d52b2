import BluetoothHost
import GATTKit

// What is said over ATT bearers about heart rates.

extension ATTDialoguePDU {
  /// Whether this may switch the measurement's notifications on, or its indications: a write to its configuration, or to
  /// an attribute that may be that.
  var maySwitchOnMeasurements: Bool { maySwitchOnMeasurements(3) }

  /// Whether this may switch the measurement's notifications on.
  var maySwitchOnNotifications: Bool { maySwitchOnMeasurements(1) }

  /// Whether this tells that something was written, whatever it was.
  var grantsWrite: Bool { opcode == .writeResponse || opcode == .executeWriteResponse }

  private func maySwitchOnMeasurements(_ bits: UInt8) -> Bool {
    guard writesAttribute else { return false }
    guard let attribute else { return true }
    if attribute.isElsewhere { return false }
    switch attribute.uuid {
    case .clientCharacteristicConfiguration:
      guard attribute.characteristic == nil || attribute.characteristic == .heartRateMeasurement else { return false }
    case nil:
      guard isCut || opcode == .prepareWriteRequest || written?.count == 2 else { return false }
    default:
      return false
    }
    return (written ?? preparedBeginning)?.first.map { $0 & bits != 0 } ?? true
  }

  /// Whether this may reset the energy expended: a write to the control point, or to an attribute that may be that.
  var mayResetEnergy: Bool {
    guard isUnsignedWrite || opcode == .signedWriteCommand,
      attribute?.uuid == nil || attribute?.uuid == .heartRateControlPoint
    else { return false }
    return isCut || written.map { $0.count == 1 && $0.first == 1 } ?? true
  }

  /// Whether this tells that a server's table has changed: an indication of Service Changed.
  var indicatesServiceChanged: Bool { opcode == .handleValueIndication && attribute?.uuid == .serviceChanged }
}

extension DialogueAttribute {
  /// What it is to heart rates; nil if it has nothing to do with them.
  var heartRateRole: String? {
    switch uuid {
    case .heartRateMeasurement: "the Heart Rate Measurement"
    case .bodySensorLocation: "the Body Sensor Location"
    case .heartRateControlPoint: "the Heart Rate Control Point"
    case .clientCharacteristicConfiguration where characteristic == .heartRateMeasurement:
      "the measurement's configuration"
    default: nil
    }
  }

  /// "the measurement's configuration (0x0011)", "Battery Level (0x001b)": without its table, a handle says nothing. Of
  /// an attribute that is not known, "0x001b".
  var words: String { name.map { "\($0) (\(handleWords(handle)))" } ?? handleWords(handle) }

  private var name: String? {
    if let heartRateRole { return heartRateRole }
    if declares != nil || uuid == .characteristic {
      return "the declaration of \(declares.flatMap(AssignedNumbers.characteristicName) ?? "a characteristic")"
    }
    if uuid == .clientCharacteristicConfiguration {
      return characteristic.flatMap(AssignedNumbers.characteristicName).map { "the configuration of \($0)" }
        ?? "a configuration"
    }
    return uuid.flatMap(AssignedNumbers.attributeName)
  }
}

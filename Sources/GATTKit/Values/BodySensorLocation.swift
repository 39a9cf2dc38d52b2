/// Where on the body a heart rate sensor is meant to be worn, characteristic 2A38.
///
/// HRS 1.0, 3.2.
public struct BodySensorLocation: RawRepresentable, Hashable, Sendable {
  /// The location as sent.
  public var rawValue: UInt8

  /// A location as sent, known or reserved.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Somewhere else.
  public static let other = Self(rawValue: 0)
  /// On the chest.
  public static let chest = Self(rawValue: 1)
  /// On the wrist.
  public static let wrist = Self(rawValue: 2)
  /// On a finger.
  public static let finger = Self(rawValue: 3)
  /// On a hand.
  public static let hand = Self(rawValue: 4)
  /// On an ear lobe.
  public static let earLobe = Self(rawValue: 5)
  /// On a foot.
  public static let foot = Self(rawValue: 6)

  /// All locations that are defined, in the order of their numbers.
  public static let defined: [Self] = [other, chest, wrist, finger, hand, earLobe, foot]

  private static let names = ["Other", "Chest", "Wrist", "Finger", "Hand", "Ear Lobe", "Foot"]

  /// The location's name: nil for the values from 7, which are reserved.
  public var name: String? {
    let index = Int(rawValue)
    return Self.names.indices.contains(index) ? Self.names[index] : nil
  }
}

extension BodySensorLocation: CustomStringConvertible {
  /// The name, or "reserved (7)".
  public var description: String { name ?? "reserved (\(rawValue))" }
}

extension BodySensorLocation: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Body Sensor Location" }
}

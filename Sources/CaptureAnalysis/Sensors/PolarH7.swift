import GATTKit

/// Polar H7: a chest strap, sold from 2012 to 2019.
enum PolarH7 {
  static let profile = SensorProfile(
    name: "Polar H7",
    marks: SensorProfile.Marks(
      names: ["Polar H7"], models: ["H7"],
      services: [
        BluetoothUUID("6217FF49-AC7B-547E-EECF-016A06970BA9"), BluetoothUUID("6217FF4B-FB31-1140-AD5A-A45545D7ECF3"),
      ].compactMap { $0 },
      companies: [0x006B]),
    facts: [
      SensorFact(.contact(true), source: "flags 0x16, github.com/polarofficial/polar-ble-sdk/issues/470"),
      SensorFact(.rrIntervals(true), source: "flags 0x16, github.com/polarofficial/polar-ble-sdk/issues/470"),
      SensorFact(.energyExpended(false), source: "flags 0x16, github.com/polarofficial/polar-ble-sdk/issues/470"),
      SensorFact(.characteristic(.heartRateControlPoint, false), source: "users' reports, not verified"),
      SensorFact(.location(.chest), source: "it is a chest strap: support.polar.com"),
      SensorFact(.period(0.9...1.1), source: "users' reports, not verified"),
    ])
}

import GATTKit

/// Polar H9 and H10: chest straps, sold since 2017.
enum PolarH10 {
  static let profile = SensorProfile(
    name: "Polar H10",
    marks: SensorProfile.Marks(
      names: ["Polar H10", "Polar H9"], models: ["H10", "H9"],
      services: [BluetoothUUID("FB005C80-02E7-F387-1CAD-8ACD2D8DF0C8")].compactMap { $0 }, companies: [0x006B]),
    facts: [
      SensorFact(
        .contact(true), source: "flags 0x16, users' reports, not verified",
        exception: "some firmware sends none: github.com/polarofficial/polar-ble-sdk/issues/470"),
      SensorFact(.rrIntervals(true), source: "the maker's SDK: github.com/polarofficial/polar-ble-sdk"),
      SensorFact(.energyExpended(false), source: "github.com/polarofficial/polar-ble-sdk/issues/470"),
      SensorFact(.location(.chest), source: "it is a chest strap: support.polar.com"),
      SensorFact(.period(0.9...1.1), source: "github.com/polarofficial/polar-ble-sdk/issues/169"),
    ])
}

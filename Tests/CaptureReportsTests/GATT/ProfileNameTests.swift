import Testing

@testable import CaptureReports

/// What of a sensor's name is its model's: the rest is one unit's number.
@Suite struct `Names of models` {
  @Test(arguments: [
    ("Polar H7 2C5A1D17", "Polar H7"), ("TICKR 7A31", "TICKR"), ("TICKR ABCD", "TICKR"),
    ("HRM-Dual:123456", "HRM-Dual"),
    ("HRM-Pro:654321", "HRM-Pro"), ("RHYTHM+4471", "RHYTHM+"), ("HW807-0012345", "HW807"),
    ("Polar H10 AAAAAAAA", "Polar H10"),
    ("Polar H7 2c5a1d17", "Polar H7"),
    ("HR Sensor a1b2", "HR Sensor"), ("TICKR 12-34-56", "TICKR"), ("Garmin HRM 600", "Garmin HRM 600"), ("HRM", "HRM"),
    ("Forerunner 945", "Forerunner 945"), ("123456", "123456"),
    ("Heart Cafe", "Heart Cafe"), ("", ""),
  ])
  func `are names without a serial number`(name: String, model: String) {
    #expect(SensorProfileReport.common(name) == model)
  }
}

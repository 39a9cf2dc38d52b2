import CaptureAnalysis
import CaptureFiles
import GATTKit

/// `gatt --profile`: what the sensors in captures are like, as profiles to be kept: the schema `hrsnoop.profile/1`.
public struct SensorProfileReport: Sendable {
  private let context: ReportContext

  /// A report for a place.
  public init(_ context: ReportContext) {
    self.context = context
  }

  /// A period is usual within a tenth.
  private static let tolerance = 0.1

  /// Writes the profiles.
  /// - Returns: How many have no mark by which a sensor could be recognised.
  @discardableResult
  public func write(_ captures: [AnalyzedCapture], into buffer: ReportBuffer) -> Int {
    var unmarked = 0
    JSONWriter.document(SensorProfileJSON.schema, context, into: buffer) { json in
      json.array("profiles") { json in
        for summary in captures.compactMap(\.summary) {
          for device in DeviceReport.devices(of: summary) {
            guard let connection = device.connections.last else { continue }
            let traits = summary.traits(of: connection)
            if !traits.isMarked { unmarked += 1 }
            write(traits, of: summary, &json)
          }
        }
      }
    }
    return unmarked
  }

  private func write(_ sensor: SensorTraits, of summary: CaptureSummary, _ json: inout JSONWriter) {
    json.object { json in
      let names = sensor.name.map { Self.common($0) }
      json.value("name", String((sensor.model ?? names ?? "sensor without a name").prefix(SensorProfile.longestName)))
      json.object("marks") { json in
        json.array("names", of: [names].compactMap { $0 }, inline: true)
        json.array("models", of: [sensor.model].compactMap { $0 }, inline: true)
        json.array("services", of: Self.own(sensor.services).map(\.description), inline: true)
        json.list("companies", [sensor.company].compactMap { $0 }) { $0.write($1) }
      }
      json.object("usual") { json in
        json.value("contact", sensor.tellsContact)
        json.value("rr_intervals", sensor.sendsRRIntervals)
        json.value("energy_expended", sensor.sendsEnergy)
        json.value("location", sensor.location?.rawValue)
        json.array("services", of: (sensor.services ?? []).sorted().map(\.description), inline: true)
        json.array("characteristics", of: (sensor.characteristics ?? []).sorted().map(\.description), inline: true)
        if let period = sensor.period {
          json.list("period_s", [1 - Self.tolerance, 1 + Self.tolerance]) { $0.write(period * $1, decimals: 2) }
        } else {
          json.null("period_s")
        }
      }
      let date = summary.facts.firstTime.flatMap { $0.isTold ? CivilTime($0) : nil }.map(TimeText.date)
      json.value("source", "a capture, \(date ?? "without a date")")
    }
  }

  /// A name without its end, where that looks like a serial number: "Polar H7 2C5A1D17" is a "Polar H7", "HRM-Dual:123456"
  /// an "HRM-Dual", and "RHYTHM+4471" a "RHYTHM+".
  static func common(_ name: String) -> String {
    let words = name.split(separator: " ")
    if words.count > 1, let last = words.last, last.count >= leastSerial, last.contains(where: \.isNumber),
      last.allSatisfy({ $0.isHexDigit || $0 == "-" })
    {
      return words.dropLast().joined(separator: " ")
    }
    let serial = name.reversed().prefix { $0.isHexDigit && !$0.isLowercase }
    let rest = name.dropLast(serial.count)
    // "HRM 600" is a model, and letters alone may be a word, unless they are as many as such numbers have.
    guard serial.count >= leastSerial, serial.contains(where: \.isNumber) || serial.count.isMultiple(of: leastSerial),
      let separator = rest.last, " :-_+".contains(separator)
    else { return name }
    let model = separator == "+" ? rest : rest.dropLast()
    return model.contains(where: \.isLetter) ? String(model) : name
  }

  private static let leastSerial = 4

  /// The services that are nobody else's: those of 128 bits.
  fileprivate static func own(_ services: Set<BluetoothUUID>?) -> [BluetoothUUID] {
    (services ?? []).filter { !$0.isOnBase }.sorted()
  }
}

extension SensorTraits {
  /// Whether anything tells of which make it is: a maker has several.
  fileprivate var isMarked: Bool {
    name != nil || model != nil || !SensorProfileReport.own(services).isEmpty
  }
}

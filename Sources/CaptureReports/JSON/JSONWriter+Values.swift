import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets

// What several reports write alike.

extension JSONWriter {
  /// Writes a document of this program's: its schema, the program, and what else is in it.
  static func document(
    _ schema: String, _ context: ReportContext, into buffer: ReportBuffer, _ body: (inout JSONWriter) -> Void
  ) {
    var json = JSONWriter(buffer)
    json.object { json in
      json.value("schema", schema)
      json.object("tool", inline: true) { json in
        json.value("name", "hrsnoop")
        json.value("version", context.version)
      }
      body(&json)
    }
    json.finish()
  }

  /// Writes a document about captures: where each is from, and why it could not be read, or what is said of it.
  static func document(
    _ schema: String, _ context: ReportContext, of captures: [AnalyzedCapture], into buffer: ReportBuffer,
    _ body: (CaptureSummary, inout JSONWriter) -> Void
  ) {
    document(schema, context, into: buffer) { json in
      json.array("captures") { json in
        for capture in captures {
          json.object { json in
            json.value("path", capture.origin.path)
            switch capture {
            case .failure(_, let message): json.value("error", message)
            case .summary(let summary):
              json.members(summary.memberNames)
              body(summary, &json)
            }
          }
        }
      }
    }
  }

  /// A device at the other end, and what it says of itself.
  /// - Parameter identity: Its lasting address, where the one it uses is private and the capture tells.
  mutating func peer(_ address: DeviceAddress?, _ facts: DeviceFacts, identity: DeviceAddress? = nil) {
    object("peer") { json in
      json.address(address)
      if let identity {
        json.value("identity", identity.description)
        json.value("identity_type", identity.kind.name)
      }
      json.value("name", facts.name)
      json.value("manufacturer", facts.manufacturer)
      json.value("model", facts.model)
      json.value("firmware", facts.firmware)
      json.value("battery_percent", facts.battery)
    }
  }

  mutating func address(_ address: DeviceAddress?) {
    value("address", address?.description)
    value("address_type", address?.kind.name)
  }

  /// What a sensor advertises.
  mutating func keys(of advertisement: AdvertisementEvent) {
    address(advertisement.address)
    value("name", advertisement.name)
    value("company", advertisement.company.flatMap(AssignedNumbers.companyName))
    value("rssi_dbm", advertisement.rssi)
  }

  /// The type of an attribute, and its name among those of its kind.
  mutating func type(_ uuid: BluetoothUUID?, _ name: (BluetoothUUID) -> String?) {
    value("uuid", uuid?.description)
    value("name", uuid.flatMap(name))
  }

  /// The model of a sensor, and what is not usual for it; null where no model is known that it might be of.
  mutating func profile(of sensor: SensorTraits, _ profiles: SensorProfiles) {
    guard let profile = profiles.profile(of: sensor) else { return null("profile") }
    object("profile") { json in
      json.value("name", profile.name)
      json.array("usual", of: profile.facts.map(\.trait.words), inline: true)
      json.array("unusual") { json in
        for remark in profile.unusual(in: sensor) {
          json.object(inline: true) { json in
            json.value("what", remark.text)
            json.value("usual", remark.usual)
            json.value("exception", remark.exception)
            json.value("source", remark.source)
          }
        }
      }
    }
  }

  /// The keys of a measurement, the same in reports and in timelines.
  mutating func measurement(_ measurement: Measurement) {
    place(measurement.frame, measurement.member)
    value("time", measurement.time)
    reading(measurement.reading, octets: measurement.octets, length: measurement.length)
  }

  /// The keys of a measurement's value.
  mutating func reading(_ reading: HeartRateMeasurement.Reading, octets: ContiguousArray<UInt8>, length: Int) {
    value("raw", hex: octets)
    value("octets", length)
    value("bpm", reading.beatsPerMinute)
    value("contact", literal: reading.contact?.reportName)
    value("energy_kj", reading.energyExpended)
    if let intervals = reading.rrIntervals {
      list("rr", intervals) { $0.write($1.rawValue) }
      list("rr_ms", intervals) { $0.write($1.milliseconds, decimals: 3) }
    } else {
      null("rr")
      null("rr_ms")
    }
    value("rr_count", reading.rrCount)
    value("error", reading.isMalformed ? reading.error?.description : nil)
  }

  mutating func moment(_ key: StaticString, _ moment: Moment?) {
    guard let moment else { return null(key) }
    object(key, inline: true) { json in
      json.keys(of: moment)
    }
  }

  /// Where something stands: the record, and the file where there are several.
  mutating func place(_ frame: Int, _ member: Int?) {
    value("frame", frame)
    if let member { value("member", member) }
  }

  mutating func keys(of moment: Moment) {
    place(moment.frame, moment.member)
    value("time", moment.time)
  }

  /// The parameters of a connection; null where they are not known.
  mutating func keys(of parameters: ConnectionParameters?) {
    value("interval_ms", parameters?.intervalMilliseconds, decimals: 2)
    value("latency", parameters?.latency)
    value("supervision_timeout_ms", parameters?.supervisionTimeoutMilliseconds)
    // The interval is that of the connection events that are used.
    if let factor = parameters?.subrateFactor, factor > 1 { value("subrate_factor", factor) }
  }

  /// How a connection ended; null where that was not seen.
  mutating func keys(of end: DisconnectedEvent?) {
    value("reason", end?.reason?.rawValue)
    value("reason_name", end?.reason?.name)
    if let reason = end?.hostReason {
      value("host_reason", reason.rawValue)
      value("host_reason_name", reason.name)
    }
    if let end = end?.adapterEnd { value("ended_by", end.key) }
  }

  /// Which clock a capture's times are of.
  mutating func clock(of facts: CaptureFacts) {
    let isTold = facts.lastTime?.isTold ?? true
    value("clock", (isTold ? facts.clock : .unknown).rawValue)
  }

  /// The names of a capture's files.
  mutating func members(_ names: [String]) { array("members", of: names, inline: true) }

  mutating func services(_ key: StaticString, _ services: [GATTService]) {
    array(key) { json in
      for service in services { json.service(service) }
    }
  }

  private mutating func service(_ service: GATTService) {
    object { json in
      json.type(service.uuid, AssignedNumbers.serviceName)
      json.value("start", service.handles.lowerBound)
      json.value("end", service.handles.upperBound)
      json.value("primary", service.isPrimary)
      json.array("includes", inline: true) { json in
        for include in service.includes {
          json.object { json in
            json.value("handle", include.handle)
            json.value("start", include.service.lowerBound)
            json.value("end", include.service.upperBound)
            json.value("uuid", include.uuid?.description)
          }
        }
      }
      json.array("characteristics") { json in
        for characteristic in service.characteristics { json.characteristic(characteristic) }
      }
    }
  }

  /// What the declaration of a characteristic tells; null where it is not known.
  mutating func keys(of characteristic: GATTCharacteristic) {
    type(characteristic.uuid, AssignedNumbers.characteristicName)
    value("declaration", characteristic.declaration)
    value("handle", characteristic.valueHandle)
    if let properties = characteristic.properties {
      array("properties", of: properties.names, inline: true)
    } else {
      null("properties")
    }
  }

  private mutating func characteristic(_ characteristic: GATTCharacteristic) {
    object(inline: true) { json in
      json.keys(of: characteristic)
      json.array("descriptors") { json in
        for descriptor in characteristic.descriptors {
          json.object { json in
            json.type(descriptor.uuid, AssignedNumbers.descriptorName)
            json.value("handle", descriptor.handle)
          }
        }
      }
    }
  }
}

extension AdapterEnd {
  /// What programs call it.
  fileprivate var key: String {
    switch self {
    case .reset: "reset"
    case .startedAnew: "started-anew"
    case .switchedOff: "switched-off"
    case .removed: "removed"
    }
  }
}

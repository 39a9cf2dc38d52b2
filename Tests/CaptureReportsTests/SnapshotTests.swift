import CaptureAnalysis
import CaptureReports
import Foundation
import GATTKit
import Testing
import TestSupport

/// Reports as people see them, letter for letter.
@Suite struct `Snapshots` {
  static let analyzed = [
    ("polar-h7.btsnoop", 80), ("polar-h7.btsnoop", 200), ("wahoo-tickr.two-sections.pcapng", 80),
    ("wahoo-tickr.two-sections.pcapng", 200), ("scosche-rhythm-plus.le.pklg", 80), ("sensor-side.btsnoop", 80),
    ("sensor-side.btsnoop", 200), ("reconnection-without-discovery.btsnoop", 80), ("malformed.btsnoop", 80),
    ("three-sensors-crossed-handles.btsnoop", 80), ("handle-reused-no-disconnection.btsnoop", 80),
    ("br-edr-att.btsnoop", 80), ("pairing.btsnoop", 80), ("fragments-27-mtu-185.btsnoop", 80),
    ("long-reads.btsnoop", 80),
  ]
  static let timelines = [
    "polar-h7.btsnoop", "wahoo-tickr.btsnoop", "malformed.btsnoop", "pairing.btsnoop", "eatt.btsnoop",
    "scosche-rhythm-plus.monitor.pcap", "long-reads.btsnoop",
  ]
  static let trees = ["polar-h7.btsnoop", "wahoo-tickr.btsnoop", "long-reads.btsnoop", "sensor-side.btsnoop"]
  static let widths = [80, 200]

  @Test(arguments: analyzed)
  func `analyze`(name: String, width: Int) throws {
    let capture = try Reporting.summary(name, Sample.named(name).octets)
    try Snapshot.expect(Reporting.analysis([capture], width: width), "analyze.\(name).\(width)")
  }

  @Test(arguments: BuiltCapture.all, widths)
  func `analyze captures with something odd`(capture: BuiltCapture, width: Int) throws {
    let summary = try Reporting.summary(capture.name, capture.octets())
    try Snapshot.expect(Reporting.analysis([summary], width: width), "analyze.\(capture.name).\(width)")
  }

  @Test(arguments: widths)
  func `analyze several`(width: Int) throws {
    let names = [
      "polar-h7.btsnoop", "wahoo-tickr.nanoseconds.big-endian.pcap", "three-sensors-crossed-handles.btsnoop",
    ]
    let captures =
      try names.map { try Reporting.summary($0, Sample.named($0).octets) }
      + [.failure(path: "missing", message: "there is no such file")]
    try Snapshot.expect(Reporting.analysis(captures, width: width), "analyze.several.\(width)")
  }

  @Test(arguments: timelines)
  func `timeline`(name: String) throws {
    try Snapshot.expect(Reporting.timeline(name, Sample.named(name).octets), "timeline.\(name)")
  }

  @Test(arguments: BuiltCapture.all)
  func `timeline of captures with something odd`(capture: BuiltCapture) throws {
    try Snapshot.expect(Reporting.timeline(capture.name, capture.octets()), "timeline.\(capture.name)")
  }

  @Test(arguments: trees)
  func `gatt`(name: String) throws {
    let capture = try Reporting.summary(name, Sample.named(name).octets, listsMeasurements: false)
    try Snapshot.expect(Reporting.databases([capture]), "gatt.\(name)")
  }

  @Test func `gatt of several, narrow`() throws {
    let captures = try ["three-sensors-crossed-handles.btsnoop", "polar-h7.pcap"].map { name in
      try Reporting.summary(name, Sample.named(name).octets, listsMeasurements: false)
    }
    try Snapshot.expect(Reporting.databases(captures, width: 60), "gatt.several.60")
  }

  /// Each kind of value, whole and broken, in one file.
  @Test func `decode`() throws {
    let values: [(String, String)] = [
      ("2A37", "1648e803"), ("2A37", "1e4b2c01e803f303"), ("2A37", "09 2c01 0a00"), ("2A37", "192c010a00"),
      ("2A37", "0448"), ("2A37", "e048"),
      ("2A37", "0248"), ("2A37", ""), ("2A37", "16"), ("2A37", "1648"), ("2A37", "1648e8"), ("2A37", "1648e80301"),
      ("2A37", "0848"), ("2A37", "0648e803"), ("2A38", "00"), ("2A38", "06"), ("2A38", "07"), ("2A38", "0102"),
      ("2A39", "01"),
      ("2A39", "02"), ("2A19", "57"), ("2A19", "5764"), ("2A19", "65"), ("2A00", "506f6c61722048370a1b"),
      ("2A29", "ff41"),
      ("2A24", ""), ("2A25", "3031"), ("2A26", "312e32"), ("2A27", "41"), ("2A28", "42"), ("2A50", "010d0001001000"),
      ("2A50", "026b000200ff01"), ("2A50", "01"), ("2902", "0000"), ("2902", "0100"), ("2902", "0300"),
      ("2902", "0400"),
      ("2902", "01"), ("2803", "021000372a"),
      ("2803", "022200f3ecd74555a45aad401131fb4bff1762"),
      ("2A05", "0100ffff"), ("2A05", "05000100"), ("2B2A", "00112233445566778899aabbccddeeff"),
      ("2A04", "06000c0000009001"),
      ("2A04", "ffffffff0000ffff"), ("ABCD", "00"), ("180D", "00"), ("6217FF4B-FB31-1140-AD5A-A45545D7ECF3", "00"),
    ]
    var text = ""
    for (type, octets) in values {
      let uuid = try #require(BluetoothUUID(type))
      let value = DecodedValue(uuid, ContiguousArray(hex(octets)))
      text += "decode \(type) \"\(octets)\"\n"
      text += written { value.write(into: $0, Reporting.context(80)) }
      if let problem = value.problem { text += "! \(problem)\n" }
      text += "\n"
    }
    try Snapshot.expect(text, "decode")
  }

  /// A snapshot that no test looks at says nothing.
  @Test(.disabled(if: Snapshot.isWriting, "they are being written"))
  func `every file is compared`() throws {
    let odd = BuiltCapture.all.map(\.name)
    let names =
      Self.analyzed.map { "analyze.\($0).\($1)" }
      + (odd + ["several"]).flatMap { name in Self.widths.map { "analyze.\(name).\($0)" } }
      + (Self.timelines + odd).map { "timeline.\($0)" } + Self.trees.map { "gatt.\($0)" }
      + ["gatt.several.60", "decode"]
    let files = try FileManager.default.contentsOfDirectory(atPath: Snapshot.folder.path)
    #expect(Set(files) == Set(names.map { $0 + ".txt" }))
  }
}

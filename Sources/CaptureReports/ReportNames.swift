import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit

// The words that reports use for values of the layers below; they are part of what is promised.

extension ConnectionRole {
  var name: String { self == .central ? "central" : "peripheral" }
}

extension ServerSide {
  var name: String { self == .peer ? "peer" : "local" }
}

extension DeviceAddress.Kind {
  var name: String { self == .public ? "public" : "random" }
}

extension HeartRateMeasurement.Contact {
  var reportName: String {
    switch self {
    case .detected: "detected"
    case .notDetected: "not-detected"
    case .unsupported: "unsupported"
    }
  }
}

extension CaptureFacts {
  /// What people are told of a capture that is empty.
  static let holdsNoRecords = "The capture holds no records."

  /// The name of the link type, "mixed" where there are several; nil where neither a packet nor the header tells it.
  var linkTypeName: String? {
    var names: [String] = []
    for linkType in linkTypes where !names.contains(linkType.name) { names.append(linkType.name) }
    return names.count > 1 ? "mixed" : names.first ?? announcedLinkType?.name
  }
}

/// An input, as people are told of it: its path, or "standard input" for "-".
public func inputText(_ path: String, limit: Int = 4096) -> String {
  path == "-" ? "standard input" : AirText.shown(path, limit: limit)
}

extension DeviceAddress {
  /// "E0:9E:1A:77:00:01 random static".
  var text: String { "\(self) \(kindWords)" }
}

extension ConnectionSummary {
  /// The peer's address, the lasting one where that is known; nil where none is.
  var addressText: String? { (identity ?? address)?.text }
}

/// An adapter: "hci1"; where a capture has several interfaces with adapters of their own, "hci0 of interface 1".
func adapterText(_ number: UInt16) -> String {
  let interface = number >> 8
  return interface == 0 ? "hci\(number)" : "hci\(number & 0xFF) of interface \(interface)"
}

extension ReportBuffer {
  /// A record, and before it the file where there are several: "231", "2:231". Files are counted from 1, as records are.
  mutating func write(place frame: Int, _ member: Int?) {
    if let member {
      write(member + 1)
      write(octet: UInt8(ascii: ":"))
    }
    write(frame)
  }
}

extension Moment {
  /// "#231", "#2:231".
  var frameText: String { frameWords(frame, member) }
}

extension CaptureOrigin {
  /// What a capture is called: "bugreport.zip › btsnoop_hci.log.last + btsnoop_hci.log".
  /// - Parameter hasFolders: Whether the folders of its files are told, where names do not tell captures apart.
  func title(hasFolders: Bool = false) -> String {
    let names = memberNames.map { member in
      AirText.shown(
        hasFolders ? member : String(member.split(separator: "/").last ?? ""), limit: hasFolders ? 200 : 100)
    }
    let file = inputText(path, limit: 200)
    // A pair outside of archives: the path ends in one of the names.
    if names.count > 1, let name = names.first(where: { file == $0 || file.hasSuffix("/\($0)") }) {
      return file.dropLast(name.count) + names.joined(separator: " + ")
    }
    return names.isEmpty ? file : "\(file) › \(names.joined(separator: " + "))"
  }

  /// What each of several is called.
  static func titles(of captures: [CaptureOrigin]) -> [String] {
    let titles = captures.map { $0.title() }
    let counts = titles.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return zip(captures, titles).map { capture, title in
      counts[title] == 1 ? title : capture.title(hasFolders: true)
    }
  }
}

extension Comparison {
  /// What each of its captures is called.
  var captureNames: [CaptureOrigin: String] {
    Dictionary(uniqueKeysWithValues: zip(captures, CaptureOrigin.titles(of: captures)))
  }
}

extension UInt16 {
  /// "0x0010", as attribute handles are written.
  var handleText: String { handleWords(self) }
}

extension ClosedRange<UInt16> {
  /// "0x000e–0x0013", as those of a service are written.
  var handleText: String { "\(lowerBound.handleText)–\(upperBound.handleText)" }
}

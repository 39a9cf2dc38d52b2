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
  /// The name of the link type, "mixed" where there are several; nil where there is no packet.
  var linkTypeName: String? {
    var names: [String] = []
    for linkType in linkTypes where !names.contains(linkType.name) { names.append(linkType.name) }
    return names.count > 1 ? "mixed" : names.first
  }
}

extension UInt16 {
  /// "0x0010", as attribute handles are written.
  var handleText: String {
    let digits = String(self, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

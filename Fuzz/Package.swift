// swift-tools-version: 6.2
import PackageDescription

// The modules that are fuzzed are no products of hrsnoop, and should not become some for this: they are built here
// from the same sources, through the link `Sources/hrsnoop`, with the settings of the package itself.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/hrsnoop/\(name)", swiftSettings: settings)
}

// libFuzzer brings `main` and calls the one function that each of these exports.
func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: ["FuzzSupport", "Octets"] + dependencies, swiftSettings: settings)
}

let package = Package(
  name: "hrsnoop-fuzz",
  platforms: [.macOS(.v26)],
  targets: [
    module("Octets"),
    module("GATTKit", ["Octets"]),
    module("CaptureFiles", ["Octets"]),
    module("BluetoothHost", ["Octets", "GATTKit"]),
    module("CaptureAnalysis", ["Octets", "GATTKit", "CaptureFiles", "BluetoothHost"]),
    module("CaptureReports", ["CaptureAnalysis", "BluetoothHost", "CaptureFiles", "GATTKit", "Octets"]),
    .target(
      name: "FuzzSupport", dependencies: ["CaptureAnalysis", "CaptureFiles", "CaptureReports", "Octets"],
      swiftSettings: settings),
    fuzzer("FuzzCapture", ["CaptureAnalysis", "CaptureFiles", "CaptureReports"]),
    fuzzer("FuzzComparison", ["CaptureAnalysis", "CaptureFiles", "CaptureReports"]),
    fuzzer("FuzzContainers", ["CaptureFiles"]),
    fuzzer("FuzzConversation", ["CaptureAnalysis", "CaptureReports"]),
    fuzzer("FuzzHeartRate", ["GATTKit"]),
    fuzzer("FuzzPackets", ["BluetoothHost", "GATTKit"]),
    fuzzer("FuzzReports", ["CaptureAnalysis", "CaptureFiles", "CaptureReports", "GATTKit"]),
    fuzzer("FuzzValues", ["GATTKit"]),
  ]
)

// swift-tools-version: 6.2
import PackageDescription

/// Every target is built the same way: borrowed views over spans need `Lifetimes`, and what is unsafe has to say so.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "hrsnoop",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "GATTKit", targets: ["GATTKit"]),
    .executable(name: "hrsnoop", targets: ["hrsnoop"]),
    .executable(name: "hrsnoop-capture", targets: ["hrsnoop-capture"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // For the tests, which run programs.
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
  ],
  targets: [
    // From the ground up: each target stands on those above it in this list.
    .target(name: "Octets", swiftSettings: settings),
    .target(name: "GATTKit", dependencies: ["Octets"], swiftSettings: settings),
    .target(name: "CaptureFiles", dependencies: ["Octets"], swiftSettings: settings),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    // libarchive is loaded when it is needed.
    .target(name: "CaptureSources", dependencies: ["CZlib", "CaptureFiles", "Octets"], swiftSettings: settings),
    .target(
      name: "LiveCapture", dependencies: ["CaptureFiles", "CaptureSources", "Octets"], swiftSettings: settings),
    .target(name: "BluetoothHost", dependencies: ["Octets", "GATTKit"], swiftSettings: settings),
    .target(
      name: "CaptureAnalysis", dependencies: ["Octets", "GATTKit", "CaptureFiles", "BluetoothHost"],
      swiftSettings: settings),
    .target(
      name: "CaptureReports", dependencies: ["BluetoothHost", "CaptureAnalysis", "CaptureFiles", "GATTKit", "Octets"],
      swiftSettings: settings),
    .executableTarget(
      name: "hrsnoop",
      dependencies: [
        "BluetoothHost", "CaptureAnalysis", "CaptureFiles", "CaptureReports", "CaptureSources", "GATTKit",
        "LiveCapture", "Octets",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),

    // The only part that needs a right to capture: it stands on nothing but libpcap.
    .systemLibrary(
      name: "CPcap", path: "Sources/CPcap", pkgConfig: "libpcap",
      providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
    .executableTarget(name: "hrsnoop-capture", dependencies: ["CPcap"], swiftSettings: settings),

    // Tests. libpcap is the second opinion on capture files, and libarchive makes archives.
    .systemLibrary(
      name: "CArchive", path: "Tests/CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .target(
      name: "TestSupport",
      dependencies: [
        "CArchive", "CZlib", "Octets", "GATTKit", "CaptureFiles", "BluetoothHost", "CaptureAnalysis",
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(name: "OctetsTests", dependencies: ["Octets", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "CaptureFilesTests", dependencies: ["CaptureFiles", "CPcap", "Octets", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "BluetoothHostTests", dependencies: ["BluetoothHost", "GATTKit", "Octets", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CaptureAnalysisTests",
      dependencies: ["BluetoothHost", "CaptureAnalysis", "CaptureFiles", "GATTKit", "Octets", "TestSupport"],
      swiftSettings: settings),
    .testTarget(name: "GATTKitTests", dependencies: ["GATTKit", "Octets"], swiftSettings: settings),
    .testTarget(
      name: "CaptureSourcesTests", dependencies: ["CaptureFiles", "CaptureSources", "Octets", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "LiveCaptureTests", dependencies: ["CaptureSources", "LiveCapture", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "CaptureReportsTests",
      dependencies: [
        "BluetoothHost", "CaptureAnalysis", "CaptureFiles", "CaptureReports", "GATTKit", "Octets", "TestSupport",
      ],
      exclude: ["Snapshots"], swiftSettings: settings),
    .testTarget(
      name: "HrsnoopTests",
      dependencies: [
        "hrsnoop", "hrsnoop-capture", "BluetoothHost", "CaptureAnalysis", "CaptureFiles", "GATTKit", "Octets",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ConventionTests", dependencies: ["CaptureAnalysis", "CaptureFiles", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "TsharkComparisonTests", dependencies: ["hrsnoop", "TestSupport"], exclude: ["known-differences.txt"],
      swiftSettings: settings),
  ]
)

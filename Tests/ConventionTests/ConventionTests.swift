import Testing

@testable import CaptureAnalysis
@testable import CaptureFiles

@Suite struct `Imports` {
  /// What each target may import, beside the standard library: arrows run down only.
  static let allowed: [String: Set<String>] = [
    "Octets": [],
    "GATTKit": ["Octets"],
    "CaptureFiles": ["Octets"],
    "CaptureSources": Set(["CZlib", "CaptureFiles", "Octets"]).union(system),
    "LiveCapture": Set(["CaptureFiles", "CaptureSources", "Octets"]).union(system),
    "BluetoothHost": ["GATTKit", "Octets"],
    "CaptureAnalysis": ["BluetoothHost", "CaptureFiles", "GATTKit", "Octets"],
    "CaptureReports": [
      "BluetoothHost", "CaptureAnalysis", "CaptureFiles", "Foundation", "FoundationEssentials", "GATTKit", "Octets",
    ],
    "hrsnoop": Set([
      "ArgumentParser", "BluetoothHost", "CaptureAnalysis", "CaptureFiles", "CaptureReports", "CaptureSources",
      "GATTKit", "LiveCapture", "Octets",
    ]).union(system),
    "hrsnoop-capture": Set(["CPcap"]).union(system),
  ]

  private static let system: Set<String> = ["Darwin", "Glibc", "Musl"]

  @Test func `run down only`() {
    for file in SourceTree.sources {
      for (index, text) in file.code.enumerated() where text.contains("import ") {
        guard let match = text.firstMatch(of: /^\s*(?:@\S+ )*(?:public |package |internal )?import (?:\w+ )??(\w+)/)
        else { continue }
        let module = String(match.1)
        let isAllowed = Self.allowed[file.target]?.contains(module) == true
        #expect(isAllowed, "\(file.path):\(index + 1): \(file.target) may not import \(module)")
      }
    }
  }

  @Test func `every target has its row`() {
    #expect(Set(SourceTree.sources.map(\.target)) == Set(Self.allowed.keys))
  }

  /// Foundation costs start-up and size, and an app that takes GATTKit should not have to take more. Where there is no
  /// FoundationEssentials, as on macOS, it stands in.
  @Test func `Foundation stays out`() {
    for file in SourceTree.sources where !file.code.contains(where: { $0.contains("canImport(FoundationEssentials)") })
    {
      #expect(file.places(of: /import Foundation\b/, near: ["Foundation"]).isEmpty)
    }
  }
}

@Suite struct `Source files` {
  /// Where a pattern stands in code that people write.
  private func places(
    of pattern: Regex<Substring>, near words: [String], except isExempt: (SourceFile) -> Bool = { _ in false }
  ) -> [String] {
    SourceTree.sources.filter { !isExempt($0) && !$0.isGenerated }.flatMap { $0.places(of: pattern, near: words) }
  }

  @Test func `are there`() {
    #expect(SourceTree.sources.count > 80)
  }

  /// One buffered writer, never a line at a time.
  @Test func `print nothing`() {
    #expect(places(of: /\b(?:debugPrint|print|dump|NSLog)\(/, near: ["rint(", "dump(", "NSLog("]) == [])
  }

  /// Whatever the input is, nothing traps.
  @Test func `do not give up`() {
    let pattern: Regex<Substring> =
      /\b(?:fatalError|preconditionFailure|assertionFailure)\(|\btry!|\bas!/
    #expect(places(of: pattern, near: ["Error(", "Failure(", "try!", "as!"]) == [])
  }

  /// `!` behind a value, other than in `!=` or before one.
  @Test func `unwrap nothing by force`() {
    #expect(places(of: /[\w\)\]]!(?=[\s\.,\)\]\[;:]|$)/, near: ["!"]) == [])
  }

  @Test func `are short`() {
    for file in SourceTree.sources where !file.isGenerated {
      #expect(file.lines.count - 1 <= 400, "\(file.path) has \(file.lines.count - 1) lines")
    }
  }

  /// The only unsafe code is where octets are loaded and where the system is called.
  @Test func `are safe`() {
    let exempt = ["Octets", "CaptureSources", "LiveCapture", "hrsnoop-capture", "hrsnoop/Terminal"].map {
      "Sources/\($0)/"
    }
    // `StaticString` hands out its octets by pointer only.
    let wrappers = ["Sources/CaptureReports/Output/ReportBuffer.swift"]
    let found = places(
      of: /\bunsafe\b|\bUnsafe\w+|@unsafe|@safe\b|\bunsafeBitCast|nonisolated\(unsafe\)/, near: ["nsafe", "@safe"]
    ) { file in
      exempt.contains { file.path.hasPrefix($0) } || wrappers.contains(file.path)
    }
    #expect(found == [])
  }

  @Test func `have no unsafe concurrency`() {
    #expect(places(of: /@unchecked|@preconcurrency|nonisolated\(unsafe\)/, near: ["@", "nonisolated"]) == [])
  }

  /// A span of an `Array` checks at every use whether the array is one of Objective-C's, and exists, as a text's does, from
  /// macOS 26 on.
  @Test func `take spans of contiguous arrays`() {
    #expect(places(of: /\bArray\([^)]*\)\.span\b|\]\.span\b|\butf8\.span\b/, near: [".span"]) == [])
  }

  /// Names that say nothing about what is inside.
  @Test func `have names that say what is in them`() {
    for file in SourceTree.sources {
      let isVague = file.path.contains(/(?:Utils?|Utility|Utilities|Helpers?|Manager|Common|Misc)(?:\/|\.swift)/)
      #expect(!isVague, "\(file.path)")
    }
  }
}

@Suite struct `Lists` {
  /// The types that a folder's files define, a file each, and those that a list names.
  private func missing(from list: [String], folder: String) -> [String] {
    let files = SourceTree.sources.filter { $0.path.hasPrefix(folder) }.map(\.name)
    return files.filter { !$0.contains("+") && !list.contains($0) }.map { "\($0).self," }
  }

  @Test func `of formats are whole`() {
    let listed = CaptureFormats.all.map { "\($0)" }
    #expect(missing(from: listed, folder: "Sources/CaptureFiles/Formats/") == [], "missing in CaptureFormats.all")
    #expect(listed.count == Set(listed).count)
    #expect(Set(CaptureFormats.all.map { $0.name }).count == listed.count)
  }

  @Test func `of models of sensors`() {
    // All but the list itself.
    let files = SourceTree.sources.filter { $0.path.hasPrefix("Sources/CaptureAnalysis/Sensors/") }.count - 1
    #expect(SensorProfiles.builtIn.count == files, "missing in SensorProfiles.builtIn")
    #expect(SensorProfiles.builtIn.allSatisfy { $0.facts.allSatisfy { !$0.source.isEmpty } })
  }

  @Test func `of aspects of comparison`() {
    // All but the protocol itself.
    let listed = ComparisonAspects.all.map { "\($0)" } + ["ComparisonAspect"]
    let folder = "Sources/CaptureAnalysis/Comparison/Aspects/"
    #expect(missing(from: listed, folder: folder) == [], "missing in ComparisonAspects.all")
  }

  @Test func `of rules are whole, in the order of their names`() {
    let listed = CaptureRules.all.map { "\($0)" } + AnomalyRules.all.map { "\($0)" }
    let folder = "Sources/CaptureAnalysis/Anomalies/Rules/"
    #expect(missing(from: listed, folder: folder) == [], "missing in CaptureRules.all or AnomalyRules.all")
    for names in [CaptureRules.all.map { $0.about.name }, AnomalyRules.all.map { $0.about.name }] {
      #expect(names == names.sorted() && Set(names).count == names.count)
      #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil })
    }
  }

  /// A rule's name is its file's, in other letters: packets-dropped lies in PacketsDropped.swift.
  @Test func `of rules have the names of their files`() {
    let rules = CaptureRules.all.map { ($0.about.name, "\($0)") } + AnomalyRules.all.map { ($0.about.name, "\($0)") }
    for (name, type) in rules {
      let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      #expect(words.joined().lowercased() == type.lowercased())
    }
  }
}

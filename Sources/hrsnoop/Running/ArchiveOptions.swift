import ArgumentParser
import CaptureSources

/// How much may be unpacked: what guards against archives that are made to exhaust whoever opens them.
struct ArchiveOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      // The parser tells a default only of what it reads by itself.
      "How much may come out of one input, in octets or with K, M, G or T. (default: \(Self.usualUnpacked))",
      valueName: "size"),
    transform: ByteCount.init(read:))
  var maxUnpacked = Self.usualUnpacked

  @Option(help: ArgumentHelp("How many times its size an input may unpack to, beyond 64 MiB.", valueName: "times"))
  var maxRatio = UnpackingLimits().ratio

  @Option(help: ArgumentHelp("How deep archives within archives are looked into.", valueName: "levels"))
  var maxDepth = UnpackingLimits().depth

  @Option(help: ArgumentHelp("How many members an archive may hold.", valueName: "count"))
  var maxEntries = UnpackingLimits().entries

  /// What they come to.
  var limits: UnpackingLimits {
    UnpackingLimits(octets: maxUnpacked.octets, ratio: maxRatio, depth: maxDepth, entries: maxEntries)
  }

  private static var usualUnpacked: ByteCount { ByteCount(octets: UnpackingLimits().octets) }

  func validate() throws {
    guard maxRatio > 0, maxDepth > 0, maxEntries > 0 else {
      throw ValidationError("--max-ratio, --max-depth and --max-entries take numbers above 0.")
    }
    guard maxDepth <= 16 else { throw ValidationError("--max-depth takes no more than 16 levels.") }
  }
}

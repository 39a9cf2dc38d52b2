import ArgumentParser
import CaptureReports
import CaptureSources

/// Whether and how a live capture is recorded while it is shown.
struct RecordingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Record into a file, too: pcap or pcapng where its name ends so, else btsnoop.",
      discussion: "Each record is in the file before it is shown. A file that exists is not written over.",
      valueName: "file"))
  var write: FilePath?

  @Option(
    help: ArgumentHelp(
      "Go on in another file before one becomes longer, in octets or with K, M, G or T, 64K at least: run.pcap, run-2.pcap …",
      discussion: "To read them as one capture, put them behind one another: cat run.pcap run-2.pcap | hrsnoop -",
      valueName: "size"),
    transform: ByteCount.init(read:))
  var rotate: ByteCount?

  @Flag(help: "Write over files that exist.")
  var force = false

  /// Where and how; nil if not at all.
  /// - Parameters:
  ///   - followed: The file that is followed, if one is.
  ///   - inputs: All that is read.
  func plan(following followed: FilePath?, sparing inputs: ReadFiles) throws(DestinationError) -> LiveRecorder.Plan? {
    guard let write else { return nil }
    if let followed, ReadFiles(others: [followed]).contain(write) {
      throw DestinationError(description: "\(write): is what is followed; record into another file")
    }
    if inputs.contain(write) { throw .isInput(write) }
    return LiveRecorder.Plan(path: write, inputs: inputs, isForced: force, mostOctets: rotate?.octets)
  }

  func validate() throws {
    guard write != nil || rotate == nil && !force else {
      throw ValidationError("--rotate and --force go with --write.")
    }
    guard write != FilePath("-") else {
      throw ValidationError("--write takes a file: standard output has what is shown.")
    }
    if let rotate, rotate.octets < Self.leastSize { throw ValidationError("--rotate takes 64K and more.") }
  }

  /// Files shorter than this hold nothing.
  private static let leastSize = 64 << 10
}

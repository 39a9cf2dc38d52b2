import CaptureAnalysis
import GATTKit

/// How a live capture stands: where it comes from, and where it goes.
public struct LiveStatus: Sendable {
  /// Where it comes from.
  public var source: String
  /// Records so far.
  public var records: Int
  /// Records that the capture says it lost.
  public var lostRecords: UInt64
  /// Where it is recorded; nil if it is not.
  public var recording: Recording?

  /// A file that is being written.
  public struct Recording: Sendable {
    /// Its path.
    public var path: String
    /// How many octets are in it.
    public var octets = 0
    /// Why it is not written any more; nil if it is.
    public var trouble: String?

    /// A file in which there is nothing yet.
    public init(path: String) { self.path = path }
  }

  /// A status from its parts.
  public init(source: String = "", records: Int = 0, lostRecords: UInt64 = 0, recording: Recording? = nil) {
    (self.source, self.records, self.lostRecords, self.recording) = (source, records, lostRecords, recording)
  }

  /// It in words, from the longest to the shortest: a narrow screen takes one that fits.
  var words: [(text: String, style: Style)] {
    var whole = [TimeText.count(records, "record"), inputText(source, limit: 60)]
    if lostRecords > 0 { whole.insert("\(TimeText.count(Int(clamping: lostRecords))) lost", at: 0) }
    if let recording { whole.insert(recording.words, at: 0) }
    let style = lostRecords > 0 ? Style.warning : .quiet
    let shorter = [whole.joined(separator: "   "), whole.dropLast().joined(separator: "   "), whole[0]].map {
      ($0, style)
    }
    guard let trouble = recording?.trouble else { return shorter }
    return [("not recorded: \(AirText.shown(trouble, limit: 200))", .bad), ("not recorded", .bad)] + shorter
  }
}

extension LiveStatus.Recording {
  /// "run.pcapng 12 KiB".
  fileprivate var words: String {
    let kibibytes = Double(octets) / 1024
    let size =
      kibibytes < 1024
      ? "\(kibibytes.text(decimals: 0)) KiB" : "\((kibibytes / 1024).text(decimals: 1)) MiB"
    return "\(TextLayout.ending(of: AirText.shown(path, limit: 200), width: 30)) \(size)"
  }
}

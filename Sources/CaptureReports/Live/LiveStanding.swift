/// How a live capture stands: where it comes from, and where it goes.
public struct LiveStanding: Sendable {
  /// Where it comes from.
  public var source = ""
  /// Records so far.
  public var records = 0
  /// Records that were lost.
  public var lostRecords: UInt64 = 0
  /// The file that it is written to, and how many octets are in it; nil if it is not.
  public var recording: (path: String, octets: Int)?
  /// Why that file is not written any more; nil if it is.
  public var trouble: String?

  /// Nothing yet.
  public init() {}

  /// It in words, from the longest to the shortest: a narrow screen takes one that fits.
  var words: [(text: String, style: Style)] {
    let source = inputText(source, limit: 60)
    var whole = [TimeText.count(records, "record"), source]
    if lostRecords > 0 { whole.insert("\(TimeText.count(Int(clamping: lostRecords))) lost", at: 0) }
    if let recording {
      let kibibytes = Double(recording.octets) / 1024
      let octets =
        kibibytes < 1024
        ? "\(TimeText.number(kibibytes, decimals: 0)) KiB" : "\(TimeText.number(kibibytes / 1024, decimals: 1)) MiB"
      whole.insert("\(TextLayout.ending(of: AirText.shown(recording.path, limit: 200), width: 30)) \(octets)", at: 0)
    }
    let style = lostRecords > 0 ? Style.warning : .quiet
    let shorter = [whole.joined(separator: "   "), whole.dropLast().joined(separator: "   "), whole[0]].map {
      ($0, style)
    }
    return trouble.map { [("not recorded: \(AirText.shown($0, limit: 200))", .bad), ("not recorded", .bad)] + shorter }
      ?? shorter
  }
}

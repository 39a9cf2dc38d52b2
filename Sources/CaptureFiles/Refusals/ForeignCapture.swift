import Octets

/// Captures of other programs that cannot be read here, but can be converted: whoever has one is told how.
enum ForeignCapture: CaseIterable {
  /// An event trace log of Windows.
  case eventTraceLog
  /// A capture of a Frontline protocol analyser.
  case frontline
  /// Text in UTF-16: a bug report that a shell of Windows has written anew.
  case wideText

  /// The kind of capture that begins with these octets, if it is one of these.
  static func recognise(_ start: Span<UInt8>) -> ForeignCapture? {
    if isEventTraceLog(start) { return .eventTraceLog }
    if isWideText(start) { return .wideText }
    return isFrontline(start) ? .frontline : nil
  }

  /// What it is, and what helps.
  var refusal: String {
    switch self {
    case .eventTraceLog:
      "a Windows event trace (ETL): convert it with btetlparse of Microsoft's Bluetooth Test Platform, as in "
        + "\"btetlparse -pcapng out.pcapng trace.etl\", and read out.pcapng"
    case .frontline:
      "a capture of a Frontline protocol analyser, as it seems: export it from Frontline's program as btsnoop, and "
        + "read that"
    case .wideText:
      "text in UTF-16, as Windows PowerShell writes what is redirected with \">\": save it as UTF-8, or give the bug "
        + "report as it came from the device"
    }
  }

  /// A byte order mark, and the first letters, each of which has an octet that is zero.
  private static func isWideText(_ start: Span<UInt8>) -> Bool {
    guard start.count >= 6 else { return false }
    return switch (start[0], start[1]) {
    case (0xFF, 0xFE): start[2] != 0 && start[3] == 0 && start[4] != 0 && start[5] == 0
    case (0xFE, 0xFF): start[2] == 0 && start[3] != 0 && start[4] == 0 && start[5] != 0
    default: false
    }
  }

  /// An event trace log has no signature, but it says the size of its buffers twice: in the header of its first buffer,
  /// and in the log's own header behind that.
  ///
  ///     WMI_BUFFER_HEADER              SYSTEM_TRACE_HEADER        TRACE_LOGFILE_HEADER
  ///     +---------------------+        +--------------------+     +---------------+
  ///     | buffer size         | 4      | version            | 2   | buffer size   | 4
  ///     | octets saved        | 4      | header type, flags | 2   | …             |
  ///     | octets filled       | 4      | …                  | 28
  ///     | …                   | 60
  private static func isEventTraceLog(_ start: Span<UInt8>) -> Bool {
    guard let header = OctetWindow(start, at: 0, count: 0x6C) else { return false }
    let size = header.uint32(at: 0, .little)
    let saved = header.uint32(at: 4, .little)
    // The highest bit of the flags marks every trace header.
    return size == header.uint32(at: 0x68, .little) && (0x400...0x100_0000).contains(size) && size % 0x400 == 0
      && (0x6C...size).contains(saved) && header.uint8(at: 0x4B) & 0x80 != 0
  }

  /// The makers have not published a signature; but their programs write their names near the start. What else may do
  /// so is text, which has no zeros.
  private static func isFrontline(_ start: Span<UInt8>) -> Bool {
    let end = min(start.count, 4096)
    let head = start.extracting(0..<end)
    guard head.indices.contains(where: { head[$0] == 0 }) else { return false }
    return ["Frontline", "ComProbe", "FTS4BT"].contains { name in
      contains(head, Array(name.utf8)) || contains(head, name.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), 0] })
    }
  }

  private static func contains(_ octets: Span<UInt8>, _ word: [UInt8]) -> Bool {
    guard octets.count >= word.count else { return false }
    return (0...octets.count - word.count).contains { place in
      word.indices.allSatisfy { octets[place + $0] == word[$0] }
    }
  }
}

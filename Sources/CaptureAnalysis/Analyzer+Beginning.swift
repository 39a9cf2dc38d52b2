import CaptureFiles
import Octets

extension Analyzer {
  /// Looks for the first packet, and says when it was captured before anything is said of it. What is looked at is read
  /// once more: there is no question about the beginning of a capture in the loop over its records.
  /// - Returns: Whether it is known what these octets are.
  @inline(never)
  mutating func begin(_ octets: Span<UInt8>, isLast: Bool) throws(ParsingError) -> Bool {
    guard try reader.recognise(octets, isAll: isLast) else { return false }
    var (ahead, first) = (reader, FirstPacketTime())
    _ = try ahead.read(octets, isLast: isLast, into: &first)
    stage.times.stamps = reader.clock
    if let time = first.time.map(stage.times.first) {
      stage.packets.tracker.begin(at: time)
      receiver.begin(CaptureStart(time: time, clock: stage.times.clock(of: reader.clock)))
    }
    return true
  }

  /// Finds out what the records' times count from: behind another file header that may be something else.
  @inline(never)
  mutating func noteClock(_ octets: Span<UInt8>, isLast: Bool) throws(ParsingError) {
    _ = try reader.recognise(octets, isAll: isLast)
    stage.times.stamps = reader.clock
  }
}

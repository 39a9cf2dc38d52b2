import CaptureFiles
import Octets

/// Where the records end whose octets have come, from the start of the input.
struct RecordEnds: RecordReceiver {
  private(set) var places: [Int] = []

  /// - Parameter records: How records are found in the octets.
  init(in octets: Span<UInt8>, _ records: CaptureReader) {
    var records = records
    // What is wrong with the octets, who analyzes them says.
    _ = try? records.read(octets, isLast: false, into: &self)
  }

  mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) { places.append(record.offset + octets.count) }
}

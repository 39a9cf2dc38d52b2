import CaptureFiles
import Octets
import Testing
import TestSupport

/// Captures that come by and by.
@Suite struct `Pauses` {
  /// How much has come at a pause makes no difference to what is read in the end.
  @Test(arguments: Sample.all, [1, 50])
  func `change nothing`(sample: Sample, size: Int) throws {
    let octets = try sample.octets
    let (whole, read) = (try ReadCapture(octets), try ReadCapture(octets, .pieces(size), isPausing: true))
    #expect(read.formatName == whole.formatName && read.records == whole.records)
    #expect(read.progress.isComplete && read.progress.consumedOctets == octets.count)
  }

  /// A whole record is kept waiting for the one behind it, unless there is a pause before that, or in its header.
  @Test(arguments: Container.allCases, [0, 5])
  func `leave no whole record untold`(container: Container, ahead: Int) throws {
    let packets = Traffic.notifications(12)
    let file = container.file(packets)
    let octets = ContiguousArray(file + container.record(Traffic.notifications(13)[12]).prefix(ahead))
    var (reader, list) = (CaptureReader(), RecordList())
    let consumed = try reader.read(octets.span, isLast: false, into: &list)
    #expect(list.records.count == 11)
    reader.isPausing = true
    let rest = ContiguousArray(octets[consumed...])
    #expect(consumed + (try reader.read(rest.span, isLast: false, into: &list)) == file.count)
    #expect(list.records.map(\.octets) == packets.map(\.keptOctets))
  }

  /// A length that is wrong reaches as far as what has come: what follows tells, as if there had been no pause.
  @Test func `hide no records behind a wrong length`() throws {
    let packets = Traffic.notifications(20)
    let records = packets.map { BTSnoopBuilder.h4($0) }
    var file = BTSnoopBuilder.header() + records.joined()
    let (fifth, pause) = (16 + records[0].count * 4, 16 + records[0].count * 8)
    let length = UInt32(pause - fifth - 24).big
    file.replaceSubrange(fifth..<fifth + 8, with: length + length)
    var (reader, list) = (CaptureReader(), RecordList())
    reader.isPausing = true
    let consumed = try reader.read(ContiguousArray(file[..<pause]).span, isLast: false, into: &list)
    #expect(list.records.count == 4 && consumed == fifth)
    _ = try reader.read(ContiguousArray(file[consumed...]).span, isLast: true, into: &list)
    #expect(list.records == (try ReadCapture(file)).records && list.records.count > 15)
  }
}

import CaptureFiles
import CaptureSources
import Octets
import Testing
import TestSupport

/// What is read of a file until it ends or breaks off, and how it breaks off.
struct Unpacked {
  var octets: [UInt8] = []
  var failure: SourceError?
  /// Why a capture is not to be trusted that was read to its end.
  var doubts: [Bool] = []
  var troubles = 0

  init(_ file: [UInt8]) throws {
    try temporaryFile(file) { path in
      let survey = try CaptureSurvey(path: FilePath(path))
      troubles = survey.troubleCount
      doubts = survey.members.map { $0.doubt != nil }
      var opened = try #require(survey.members.first).open()
      do throws(SourceError) {
        while try opened.fill() {
          octets += ContiguousArray(opened.octets)
          opened.consume(opened.octets.count)
        }
      } catch {
        failure = error
      }
    }
  }
}

/// A capture of records with a random octet each, so that it stays large when it is packed.
func packableCapture(_ records: Int) -> [UInt8] {
  var state: UInt32 = 1
  var octets = BTSnoopBuilder.header()
  for index in 0..<records {
    state = state &* 1_664_525 &+ 1_013_904_223
    octets += BTSnoopBuilder.record(
      [4, 0x0F, UInt8(state >> 24), UInt8(state >> 16 & 0xFF)], time: CapturedPacket.start + Int64(index))
  }
  return octets
}

@Suite struct `Broken archives` {
  /// The last hundred lengths: what is there is a beginning of the whole, it never shrinks, and that it is cut is said.
  @Test(arguments: [.gzip, .xz] as [ArchiveBuilder.Compression])
  func `a packed file that is cut at any octet`(compression: ArchiveBuilder.Compression) throws {
    let whole = packableCapture(40)
    let packed = ArchiveBuilder.compressed(whole, compression)
    var longest = 0
    for length in (packed.count - 100)..<packed.count {
      let cut = try Unpacked(Array(packed.prefix(length)))
      #expect(cut.octets.count >= longest && whole.starts(with: cut.octets))
      #expect(cut.failure?.description.contains("not all there") == true && cut.failure?.isDoubt == false)
      longest = cut.octets.count
    }
    let unpacked = try Unpacked(packed)
    #expect(longest == whole.count && unpacked.octets == whole && unpacked.failure == nil)
  }

  /// No more is missing than what a few octets of a Huffman code and of the window hold, and what was handed out in blocks
  /// is not handed out again in pieces.
  @Test(arguments: [.gzip, .xz] as [ArchiveBuilder.Compression])
  func `a large packed file that is cut in the middle`(compression: ArchiveBuilder.Compression) throws {
    let whole = packableCapture(60_000)
    let packed = ArchiveBuilder.compressed(whole, compression)
    let cut = try Unpacked(Array(packed.prefix(packed.count / 2)))
    let more = try Unpacked(Array(packed.prefix(packed.count / 2 + 100)))
    #expect(whole.starts(with: cut.octets) && whole.starts(with: more.octets))
    #expect((1..<4000).contains(more.octets.count - cut.octets.count))
  }

  @Test func `a member of a packed tar that is cut`() throws {
    let whole = packableCapture(60_000)
    var builder = ArchiveBuilder(.tar, .gzip)
    builder.add("a.log", whole)
    let packed = builder.octets
    let cut = try Unpacked(Array(packed.prefix(packed.count / 2)))
    let more = try Unpacked(Array(packed.prefix(packed.count / 2 + 100)))
    #expect(whole.starts(with: cut.octets) && whole.starts(with: more.octets))
    #expect((1..<4000).contains(more.octets.count - cut.octets.count) && cut.troubles == 1)
    #expect(cut.failure?.description.contains("not all there") == true)
  }

  /// The trailer is 8 octets: what they check is all there.
  @Test(arguments: 1...8)
  func `a gzip file without all of its trailer`(missing: Int) throws {
    let unpacked = try Unpacked(Array(ArchiveBuilder.compressed(packableCapture(2)).dropLast(missing)))
    #expect(unpacked.octets == packableCapture(2) && unpacked.failure != nil)
  }

  /// As `cat a.gz b.gz` makes it, with padding behind it, as tapes and disks have it.
  @Test func `gzip files put together, and what stands behind them`() throws {
    let whole = packableCapture(5000)
    let two = ArchiveBuilder.compressed(Array(whole[..<9000])) + ArchiveBuilder.compressed(Array(whole[9000...]))
    for padding in [[], [0], [0, 0, 0, 0], [0x1F, 0x8C, 8], Array("and more".utf8)] as [[UInt8]] {
      let unpacked = try Unpacked(two + padding)
      #expect(unpacked.octets == whole && unpacked.failure == nil)
    }
    let cut = try Unpacked(two + [0x1F, 0x8B])
    #expect(cut.octets == whole && cut.failure?.description.contains("not all there") == true)
  }

  /// Damage in the middle ends what can be unpacked, and takes nothing of what comes before.
  @Test func `a gzip file with an impossible block`() throws {
    let whole = packableCapture(5000)
    var packed = ArchiveBuilder.compressed(Array(whole[..<9000]))
    // A header, and a block of type 3, which RFC 1951 has reserved.
    packed += [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x07] + Array(repeating: 0xFF, count: 40)
    let unpacked = try Unpacked(packed)
    #expect(unpacked.octets == Array(whole[..<9000]))
    #expect(unpacked.failure?.description.contains("damaged") == true && unpacked.failure?.isDoubt == false)
  }

  @Test func `a gzip file whose checksum or length is wrong`() throws {
    let whole = packableCapture(5000)
    for place in [-8, -5, -4, -1] {
      var packed = ArchiveBuilder.compressed(whole)
      packed[packed.count + place] ^= 0x40
      let unpacked = try Unpacked(packed)
      #expect(unpacked.octets == whole && unpacked.failure?.isDoubt == true)
    }
  }

  /// Only at the end of the archive is it known, and then all that was in it is doubtful; what lies beside it is not.
  @Test func `a packed tar whose checksum is wrong, in a zip`() throws {
    var builder = ArchiveBuilder(.tar, .gzip)
    builder.add("a.log", packableCapture(3))
    builder.add("b.log", packableCapture(4))
    var packed = builder.octets
    #expect(try Unpacked(packed).doubts == [false, false])
    packed[packed.count - 6] ^= 0x40
    #expect(try Unpacked(packed).doubts == [true, true])
    let zip = ArchiveBuilder.zip(["in.tar.gz": packed, "beside.log": packableCapture(1)])
    let unpacked = try Unpacked(zip)
    #expect(unpacked.doubts == [true, true, false] && unpacked.octets == packableCapture(3) && unpacked.troubles == 0)
  }

  /// A tar of three files, with one bit wrong in the header of some.
  private func tar(damaged: [Int]) throws -> [UInt8] {
    var builder = ArchiveBuilder(.tar)
    let names = ["a.log", "notes.txt", "c.log"]
    builder.add(names[0], packableCapture(3))
    builder.add(names[1], Array(repeating: 0x41, count: 5000))
    builder.add(names[2], packableCapture(4))
    var tar = builder.octets
    for index in damaged {
      let name = Array(names[index].utf8)
      let place = try #require(
        stride(from: 0, to: tar.count - name.count, by: 512).first { Array(tar[$0..<$0 + name.count]) == name })
      tar[place] ^= 1
    }
    return tar
  }

  /// It costs the member that it is of, and no other.
  @Test(arguments: [false, true], [([], 2), ([1], 2), ([2], 1), ([1, 2], 1)] as [([Int], Int)])
  func `a tar with a damaged header`(isPacked: Bool, damage: (headers: [Int], left: Int)) throws {
    let tar = try tar(damaged: damage.headers)
    let unpacked = try Unpacked(isPacked ? ArchiveBuilder.compressed(tar) : tar)
    #expect(unpacked.octets == packableCapture(3))
    #expect(unpacked.failure == nil && unpacked.doubts == Array(repeating: false, count: damage.left))
    #expect(unpacked.troubles == (damage.headers.isEmpty ? 0 : 1))
  }

  /// What damaged the header is told by the checksum of all, and that is told of all.
  @Test func `a packed tar with a damaged header whose checksum is wrong`() throws {
    var packed = ArchiveBuilder.compressed(try tar(damaged: [1]))
    packed[packed.count - 6] ^= 0x40
    let unpacked = try Unpacked(packed)
    #expect(unpacked.doubts == [true, true] && unpacked.troubles == 1)
  }

  @Test func `a zip with a member whose checksum is wrong`() throws {
    let whole = packableCapture(5000)
    var zip = ArchiveBuilder.zip(["a.log": whole])
    let list = try #require(zip.indices.dropLast(4).first { zip[$0..<$0 + 4] == [0x50, 0x4B, 1, 2] })
    zip[list + 16] ^= 0x40
    let unpacked = try Unpacked(zip)
    #expect(unpacked.octets == whole && unpacked.failure?.isDoubt == true)
  }

  /// The log that stands before the place where a bug report breaks off.
  @Test func `a bug report that is cut behind its log`() throws {
    let packets = (0..<50).map { CapturedPacket(.event, .received, [0x0F, 4, 0, 1, UInt8($0), 0x20]) }
    var state: UInt32 = 1
    let rest = (0..<20_000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(0x41 + state >> 28)
    }
    let log = BTSnoozBuilder.bugReport(BTSnoozBuilder.packed(packets))
    let packed = ArchiveBuilder.compressed(log + rest)
    let unpacked = try Unpacked(Array(packed.dropLast(100)))
    #expect(try ReadCapture(unpacked.octets).packets == packets.map(\.octets))
    #expect(unpacked.failure == nil && unpacked.troubles == 1)
  }
}

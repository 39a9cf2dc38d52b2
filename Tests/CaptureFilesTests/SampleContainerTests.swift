import CaptureFiles
import Octets
import Testing
import TestSupport

/// The recorded captures as files: how many records, when, and the same packets in every format.
@Suite struct `Sample files` {
  /// Number of records, time of the first and the last one: as Wireshark's capinfos and a reader written apart from this
  /// package say. Where notes or packets without a time are first, the first that has one counts.
  static let files: [(String, String, Int, Int64, Int64)] = [
    ("br-edr-att.btsnoop", "btsnoop", 77, 1_774_350_020_270_921, 1_774_350_041_102_051),
    ("eatt.btsnoop", "btsnoop", 140, 1_774_021_500_156_289, 1_774_021_523_723_847),
    ("fragments-27-mtu-185.btsnoop", "btsnoop", 140, 1_774_087_810_556_755, 1_774_088_052_864_918),
    ("handle-reused-no-disconnection.btsnoop", "btsnoop", 129, 1_773_903_930_960_629, 1_773_903_959_016_001),
    ("handle-reused.btsnoop", "btsnoop", 132, 1_773_903_930_960_629, 1_773_903_959_016_001),
    ("long-reads.btsnoop", "btsnoop", 150, 1_774_512_488_848_158, 1_774_512_507_739_574),
    ("malformed.btsnoop", "btsnoop", 75, 1_774_445_820_352_151, 1_774_445_847_317_542),
    ("other-notifications.btsnoop", "btsnoop", 353, 1_774_685_720_540_427, 1_774_685_747_780_318),
    ("pairing.btsnoop", "btsnoop", 125, 1_774_297_800_812_904, 1_774_297_829_622_514),
    ("polar-h7.btsnoop", "btsnoop", 273, 1_773_480_413_590_410, 1_773_480_536_325_629),
    ("polar-h7.pcap", "pcap", 273, 1_773_480_413_590_410, 1_773_480_536_325_629),
    ("reconnection-without-discovery.btsnoop", "btsnoop", 97, 1_773_749_740_084_661, 1_773_749_774_698_875),
    ("scosche-rhythm-plus.be.pklg", "packetlogger", 107, 1_773_384_067_755_204, 1_773_643_296_025_301),
    ("scosche-rhythm-plus.btsnoop", "btsnoop", 106, 1_773_643_267_755_204, 1_773_643_296_025_301),
    ("scosche-rhythm-plus.h1.btsnoop", "btsnoop", 106, 1_773_643_267_755_204, 1_773_643_296_025_301),
    ("scosche-rhythm-plus.h4.pcap", "pcap", 106, 1_773_643_267_755_204, 1_773_643_296_025_301),
    ("scosche-rhythm-plus.le.pklg", "packetlogger", 107, 1_773_384_067_755_204, 1_773_643_296_025_301),
    ("scosche-rhythm-plus.monitor.btsnoop", "btsnoop", 112, 1_773_643_267_753_704, 1_773_643_296_275_304),
    ("scosche-rhythm-plus.monitor.pcap", "pcap", 112, 1_773_643_267_753_704, 1_773_643_296_275_304),
    ("sensor-side.btsnoop", "btsnoop", 191, 1_774_171_613_638_960, 1_774_171_652_425_106),
    ("three-sensors-crossed-handles.btsnoop", "btsnoop", 210, 1_773_858_005_457_479, 1_773_858_024_230_631),
    ("wahoo-tickr.btsnoop", "btsnoop", 138, 1_773_594_191_308_758, 1_773_594_233_779_112),
    ("wahoo-tickr.nanoseconds.big-endian.pcap", "pcap", 138, 1_773_594_191_308_758, 1_773_594_233_779_112),
  ]

  @Test(arguments: files)
  func `records and times`(name: String, format: String, count: Int, first: Int64, last: Int64) throws {
    let read = try ReadCapture(Sample.named(name).octets)
    #expect(read.formatName == format && read.records.count == count && read.progress.isComplete)
    #expect(read.records.first?.time == first && read.records.last?.time == last)
  }

  @Test func `every sample is in the table`() {
    let names = Set(Self.files.map(\.0)).union(["wahoo-tickr.two-sections.pcapng"])
    #expect(names == Set(Sample.all.map(\.name)))
  }

  /// 138 packets, and three made-up ones of Ethernet in each of the two sections.
  @Test func `two sections, two interfaces each`() throws {
    let read = try ReadCapture(Sample.named("wahoo-tickr.two-sections.pcapng").octets)
    #expect(read.formatName == "pcapng" && read.records.count == 144 && read.progress.isComplete)
    #expect(read.records.filter { $0.linkType == .other(1) && $0.content == .foreign }.count == 6)
    #expect(read.records.map(\.number) == Array(1...144))
  }

  /// What each container keeps of the packets of the btsnoop file.
  @Test(arguments: [
    "polar-h7.pcap", "scosche-rhythm-plus.be.pklg", "scosche-rhythm-plus.le.pklg", "scosche-rhythm-plus.h1.btsnoop",
    "scosche-rhythm-plus.h4.pcap", "scosche-rhythm-plus.monitor.btsnoop", "scosche-rhythm-plus.monitor.pcap",
    "wahoo-tickr.nanoseconds.big-endian.pcap", "wahoo-tickr.two-sections.pcapng",
  ])
  func `the same packets as in btsnoop`(name: String) throws {
    let base = name.prefix { $0 != "." } + ".btsnoop"
    let theirs = try ReadCapture(Sample.named(String(base)).octets).records
    let ours = try ReadCapture(Sample.named(name).octets).records.filter { $0.content.isPacket }
    #expect(ours.map(\.octets) == theirs.map(\.octets))
    #expect(ours.map(\.time) == theirs.map(\.time))
    #expect(ours.map(\.content) == theirs.map(\.content))
    let isTold = !name.hasSuffix(".h4.pcap")
    #expect(zip(ours, theirs).allSatisfy { $0.direction == $1.direction || !isTold && $0.direction == nil })
    #expect(ours.map(\.originalLength) == theirs.map(\.originalLength))
  }
}

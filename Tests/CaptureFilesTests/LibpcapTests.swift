#if canImport(CPcap)
  import CaptureFiles
  import CPcap
  import Octets
  import Testing
  import TestSupport

  /// A second opinion: what libpcap reads in the same file.
  @Suite struct `As libpcap reads it` {
    /// A record, its link type's header still on.
    struct Record: Hashable {
      var microseconds: Int64
      var octets: [UInt8]
      var length: Int
    }

    /// What libpcap makes of a file; it stops with an error where one interface differs from the others.
    struct Reading {
      var linkType: UInt32
      var records: [Record] = []
      var error: String?

      init?(path: String) {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let file = unsafe pcap_open_offline(path, &message) else { return nil }
        defer { unsafe pcap_close(file) }
        linkType = UInt32(unsafe pcap_datalink(file))
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var octets: UnsafePointer<UInt8>?
        while true {
          let result = unsafe pcap_next_ex(file, &header, &octets)
          if result == PCAP_ERROR { error = unsafe String(cString: pcap_geterr(file)) }
          guard result == 1, let header = unsafe header?.pointee, let octets = unsafe octets else { return }
          let kept = unsafe Array(UnsafeBufferPointer(start: octets, count: Int(header.caplen)))
          records.append(
            Record(
              microseconds: Int64(header.ts.tv_sec) * 1_000_000 + Int64(header.ts.tv_usec), octets: kept,
              length: Int(header.len)))
        }
      }
    }

    /// How many octets of each record the link type's header takes: for 187 the type octet, for 201 the direction and
    /// the type octet, for 254 adapter and opcode.
    static let headerLengths: [UInt32: Int] = [187: 1, 201: 5, 254: 4]

    /// The record as our reader hands it on.
    private func stripped(_ record: Record, _ linkType: UInt32) throws -> Record {
      let header = try #require(Self.headerLengths[linkType])
      return Record(
        microseconds: record.microseconds, octets: Array(record.octets.dropFirst(header)),
        length: record.length - header)
    }

    @Test(arguments: Sample.all.filter { $0.name.hasSuffix(".pcap") })
    func `pcap`(sample: Sample) throws {
      let theirs = try #require(Reading(path: sample.path))
      let ours = try ReadCapture(sample.octets)
      #expect(theirs.error == nil && theirs.records.count > 20)
      #expect(
        ours.records.map { Record(microseconds: $0.time, octets: $0.octets, length: $0.originalLength) }
          == (try theirs.records.map { try stripped($0, theirs.linkType) }))
    }

    /// libpcap reads no file whose interfaces differ in link type, or whose sections differ in octet order: it takes
    /// the first interface, here the Ethernet one, and stops at the description of the second. So of the sample of two
    /// sections, nothing can be compared.
    @Test func `pcapng of two link types is refused`() throws {
      let sample = Sample.named("wahoo-tickr.two-sections.pcapng")
      let theirs = Reading(path: sample.path)
      #expect(theirs == nil || theirs?.error != nil)
      #expect(theirs?.records.isEmpty ?? true)
    }

    /// The blocks of the sample's HCI interface, copied into a file of that interface alone.
    @Test(arguments: [OctetOrder.little, .big])
    func `pcapng of one interface`(order: OctetOrder) throws {
      let packets = try ReadCapture(Sample.named("wahoo-tickr.btsnoop").octets).records.map {
        CapturedPacket($0.content, $0.direction ?? .sent, $0.octets, time: $0.time)
      }
      let kind = PCAPNGBuilder(order)
      let options = kind.option(9, [9]) + kind.option(14, Int64(1_000_000).octets(order)) + kind.option(0, [])
      let file = packets.reduce(
        kind.section + kind.interface(linkType: 201, snapshotLength: 0x4_0000, options: options)
      ) { file, packet in
        file
          + kind.enhanced(
            PCAPBuilder.linkHeader(201, packet) + packet.octets,
            stamp: UInt64(packet.time - 1_000_000_000_000) * 1000 + 999)
      }
      let theirs = try temporaryFile(file) { try #require(Reading(path: $0)) }
      let ours = try ReadCapture(file)
      #expect(theirs.error == nil && theirs.records.count == packets.count)
      #expect(
        ours.records.map { Record(microseconds: $0.time, octets: $0.octets, length: $0.originalLength) }
          == (try theirs.records.map { try stripped($0, theirs.linkType) }))
      #expect(ours.records.map(\.time) == packets.map(\.time))
    }

    /// What this program writes.
    @Test(arguments: [CaptureWriter.Format.pcap, .pcapng])
    func `what is written`(format: CaptureWriter.Format) throws {
      let sample = Sample.named("scosche-rhythm-plus.monitor.btsnoop")
      let theirs = try temporaryFile(try written(sample.octets, as: format)) { try #require(Reading(path: $0)) }
      let ours = try ReadCapture(sample.octets).records
      #expect(theirs.linkType == 254 && theirs.error == nil && ours.count > 20)
      #expect(
        try theirs.records.map { try stripped($0, 254) }
          == ours.map { Record(microseconds: $0.time, octets: $0.octets, length: $0.originalLength) })
    }

    /// Files made here rather than recorded: cut packets, every order and resolution.
    @Test(arguments: Container.allCases.filter { $0.formatName == "pcap" || $0 == .pcapngLittle || $0 == .pcapngBig })
    func `cut packets`(container: Container) throws {
      let file = container.file(Traffic.packets)
      let theirs = try temporaryFile(file) { try #require(Reading(path: $0)) }
      #expect(
        try ReadCapture(file).records.map {
          Record(microseconds: $0.time, octets: $0.octets, length: $0.originalLength)
        } == (try theirs.records.map { try stripped($0, theirs.linkType) }))
      #expect(theirs.records.count == Traffic.packets.count)
    }
  }
#endif

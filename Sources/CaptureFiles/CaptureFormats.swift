/// All formats, in the order in which they are tried: those with a signature before those without.
enum CaptureFormats {
  static let all: [any CaptureFormat.Type] = [
    // Before btsnoop: its records may stand behind a header of that.
    BTSnooz.self,
    BTSnoop.self,
    PCAP.self,
    PCAPNG.self,
    PacketLogger.self,
  ]
}

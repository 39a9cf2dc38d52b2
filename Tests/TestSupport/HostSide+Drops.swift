extension HostSide {
  /// A btsnoop file that says that records were dropped before one of its own, the first being 0.
  package func file(dropping count: UInt8, before place: Int) -> [UInt8] {
    var file = BTSnoopBuilder.header(dataLink: 1002)
    for (index, packet) in packets.enumerated() {
      var record = BTSnoopBuilder.h4(packet)
      // The cumulative drops.
      if index >= place { record[15] = count }
      file += record
    }
    return file
  }
}

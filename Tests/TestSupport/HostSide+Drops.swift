extension HostSide {
  /// A btsnoop file that says that a record was dropped before one of its own, the first being 0.
  package func file(droppingBefore place: Int) -> [UInt8] {
    var file = BTSnoopBuilder.header(dataLink: 1002)
    for (index, packet) in packets.enumerated() {
      var record = BTSnoopBuilder.h4(packet)
      // The cumulative drops.
      if index >= place { record[15] = 1 }
      file += record
    }
    return file
  }
}

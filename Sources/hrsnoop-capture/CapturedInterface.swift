internal import CPcap

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An interface that libpcap has opened.
@safe struct CapturedInterface: ~Copyable {
  private let handle: OpaquePointer

  /// Longer than any HCI packet behind the monitor's header.
  private static let snapshotLength: Int32 = 0x4_0000
  /// As many octets may wait in the kernel, where it grants them.
  private static let bufferSize: Int32 = 4 << 20

  /// Opens an interface by its name: with the right to capture, only Bluetooth is for anyone who may run this program.
  init(_ name: String) throws(CaptureFailure) {
    let number = name.dropFirst("bluetooth".count)
    let isAdapter = (1...5).contains(number.count) && number.allSatisfy { ("0"..."9").contains($0) }
    guard name == "bluetooth-monitor" || name.hasPrefix("bluetooth") && isAdapter else {
      throw CaptureFailure(status: .noInterface, sentence: "there are bluetooth-monitor and bluetooth0, bluetooth1, …")
    }
    try Self.askForBluetooth()
    var message = ContiguousArray<CChar>(repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    let created = unsafe message.withUnsafeMutableBufferPointer { unsafe pcap_create(name, $0.baseAddress) }
    guard let handle = unsafe created else { throw CaptureFailure(status: .failed, sentence: "libpcap fails") }
    unsafe pcap_set_snaplen(handle, Self.snapshotLength)
    unsafe pcap_set_immediate_mode(handle, 1)
    let status = unsafe pcap_activate(handle)
    guard status >= 0 else {
      let failure = unsafe Self.failure(status, String(cString: pcap_geterr(handle)))
      unsafe pcap_close(handle)
      throw failure
    }
    unsafe pcap_setnonblock(handle, 1, nil)
    unsafe self.handle = handle
    var size = Self.bufferSize
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { unsafe pcap_close(handle) }

  /// What its packets begin with; a number of pcap.
  var linkType: UInt16 { UInt16(truncatingIfNeeded: unsafe pcap_datalink(handle)) }

  /// What to wait for.
  var descriptor: Int32 { unsafe pcap_get_selectable_fd(handle) }

  /// Puts the next packet into a stream, if one is there.
  func next(into stream: inout PacketStream) throws(CaptureFailure) -> Bool {
    var header: UnsafeMutablePointer<pcap_pkthdr>?
    var packet: UnsafePointer<UInt8>?
    let result = unsafe pcap_next_ex(handle, &header, &packet)
    guard result >= 0 else {
      throw CaptureFailure(status: .failed, sentence: unsafe String(cString: pcap_geterr(handle)))
    }
    guard result > 0, let header = unsafe header?.pointee, let packet = unsafe packet else { return false }
    let seconds = Int64(header.ts.tv_sec)
    stream.append(
      microseconds: UInt64(clamping: seconds * 1_000_000 + Int64(header.ts.tv_usec)), length: header.len,
      unsafe Span(_unsafeStart: packet, count: Int(header.caplen)))
    return true
  }

  /// How many packets found no room, so far. libpcap does not count those of the monitor, whose socket does.
  var drops: UInt32 {
    var counts = pcap_stat()
    let told = unsafe pcap_stats(handle, &counts) == 0 ? counts.ps_drop : 0
    return max(told, Self.socketDrops(descriptor))
  }

  private static func socketDrops(_ descriptor: Int32) -> UInt32 {
    #if os(Linux)
      // The kernel's SO_MEMINFO, which tells nine numbers; the last is SK_MEMINFO_DROPS.
      let (option, drops): (Int32, Int) = (55, 8)
      var numbers = ContiguousArray<UInt32>(repeating: 0, count: 16)
      var length = socklen_t(numbers.count * MemoryLayout<UInt32>.size)
      let result = unsafe numbers.withUnsafeMutableBytes {
        unsafe getsockopt(descriptor, SOL_SOCKET, option, $0.baseAddress, &length)
      }
      return result == 0 ? numbers[drops] : 0
    #else
      return 0
    #endif
  }
}

// MARK: - What can be wrong

extension CapturedInterface {
  /// Asks the kernel for a Bluetooth socket: what libpcap says where there is none does not tell it from other failures.
  private static func askForBluetooth() throws(CaptureFailure) {
    #if os(Linux)
      let (family, hci): (Int32, Int32) = (31, 1)
      let descriptor = socket(family, Int32(SOCK_RAW.rawValue), hci)
      if descriptor >= 0 {
        close(descriptor)
      } else if errno == EAFNOSUPPORT || errno == EPROTONOSUPPORT {
        throw CaptureFailure(status: .noBluetooth, sentence: "there is no Bluetooth in this kernel")
      }
    #else
      throw CaptureFailure(status: .noBluetooth, sentence: "only Linux has a Bluetooth monitor")
    #endif
  }

  private static func failure(_ status: Int32, _ message: String) -> CaptureFailure {
    func isAbout(_ codes: Int32...) -> Bool {
      codes.contains { unsafe message.hasSuffix(String(cString: strerror($0))) }
    }
    if status == PCAP_ERROR_PERM_DENIED || isAbout(EPERM, EACCES) {
      return CaptureFailure(status: .noPermission, sentence: message)
    }
    if status == PCAP_ERROR_NO_SUCH_DEVICE || isAbout(ENODEV) {
      return CaptureFailure(status: .noInterface, sentence: message)
    }
    return CaptureFailure(status: .failed, sentence: message.isEmpty ? "libpcap fails" : message)
  }
}

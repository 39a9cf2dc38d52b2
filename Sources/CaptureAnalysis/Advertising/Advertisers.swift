import BluetoothHost
import GATTKit
import Octets

/// What devices say of themselves before anyone connects: names for those that are connected to later, and heart rate
/// sensors in full.
struct Advertisers {
  private var devices: [DeviceAddress: Device] = [:]
  /// What devices have told since they were connected last: one that was may have become another, such as one that
  /// waits for new firmware.
  private var renewed: [DeviceAddress: Device] = [:]
  /// The addresses in the order they came, to forget the oldest first.
  private var order: [DeviceAddress] = []
  private var oldest = 0
  /// When heart rate sensors were heard, where that is wanted.
  private var times: [DeviceAddress: AdvertisedEvent] = [:]
  private var chains = AdvertisingChains()
  /// Whether records were lost: nobody knows what else a device has told.
  private var hasLosses = false
  /// How many more advertisements are looked at for the maker of a heart rate sensor that has not told it: beside a list of
  /// services and a name there is often no room for it, so that it stands in what is sent unasked, and those for who asks.
  private var looksForMaker = 0

  /// Passers-by change their addresses all the time: only so many are remembered.
  private static let most = 2048
  private static let mostTimes = 1000
  /// A sensor advertises again within seconds, of which each may have a hundred advertisements of others.
  private static let mostForMaker = 1000

  fileprivate struct Device: Equatable {
    var nameOctets = ContiguousArray<UInt8>()
    var hasCompleteName = false
    var listsHeartRate = false
    /// All that it lists, of which it may have 127 octets' worth at most in one report.
    var services: [BluetoothUUID] = []
    var company: UInt16?
    /// Whether it told what it has: all its services, all that there is for who asks, or a name, beside which
    /// it would list them.
    var isTold = false
    /// Whether it told more than was received.
    var isTruncated = false
    /// Whether more was heard since it was connected than what it answers to who asks: that need not list anything.
    var isHeardUnasked = false
    /// Whether it told what it has, and the heart rate service is not among that.
    var lacksHeartRate: Bool { isTold && !isTruncated && !listsHeartRate }

    var name: String? { nameOctets.isEmpty ? nil : String(decoding: nameOctets, as: UTF8.self) }
  }

  /// What a device told of itself, if it did. Whoever has no address in the capture may be anyone.
  func identity(of address: DeviceAddress) -> PeerIdentity {
    let device = address.isOfADevice ? devices[address] : nil
    let isAnother = renewed[address].map { $0.lacksHeartRate && $0.isHeardUnasked } ?? false
    return PeerIdentity(
      address: address, name: device?.name,
      advertisesHeartRate: (device?.listsHeartRate ?? false) && (!isAnother || hasLosses),
      lacksHeartRate: (device?.lacksHeartRate ?? false) && !hasLosses)
  }

  /// A device was connected: what it tells from now on may be something else.
  mutating func noteConnection(with address: DeviceAddress) {
    guard devices[address] != nil, renewed.count < Self.most || renewed[address] != nil else { return }
    renewed[address] = Device()
  }

  /// Records were lost.
  mutating func noteLoss() { hasLosses = true }

  /// A device told its name when asked.
  mutating func note(name: String, of address: DeviceAddress) {
    var device = devices[address] ?? newDevice(address)
    device.nameOctets = ContiguousArray(name.utf8)
    device.hasCompleteName = true
    devices[address] = device
  }

  /// Whether a Low Energy event is only what one device nearby sent, without a name or a service: almost all are. What
  /// else is of no interest takes a closer look to tell.
  @inline(__always)
  func isIdleTalk(_ parameters: OctetWindow) -> Bool {
    guard let reports = AdvertisingReports(parsing: parameters), let report = reports.only else { return false }
    return !report.tellsNameOrServices && report.isComplete && chains.isEmpty && looksForMaker == 0
  }

  /// Looks at what was received while scanning.
  /// - Parameter adapter: The adapter that received it.
  /// - Returns: Whether as many reports were there as were said to be.
  mutating func note(
    _ reports: AdvertisingReports, _ adapter: UInt16, _ context: inout TrackingContext<some EventReceiver>
  ) -> Bool {
    var reports = reports
    while let report = reports.next() {
      if !report.goesOn, chains.isEmpty {
        note(report, report.data, adapter, &context)
      } else if let data = chains.add(report, adapter, at: context.time) {
        note(report, OctetWindow(data.span), adapter, &context)
      }
    }
    return reports.isAtEnd
  }

  /// - Parameter data: All that the report belongs to.
  @inline(__always)
  private mutating func note(
    _ report: AdvertisingReport, _ data: OctetWindow, _ adapter: UInt16,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    if report.isTruncated || Self.isOfInterest(data) || mayTellMaker(report) {
      note(remarkable: report, data, adapter, &context)
    }
  }

  /// Whether an advertisement is of a heart rate sensor whose maker is still looked for.
  @inline(__always)
  private mutating func mayTellMaker(_ report: AdvertisingReport) -> Bool {
    guard looksForMaker > 0 else { return false }
    looksForMaker -= 1
    return devices[report.address].map { $0.listsHeartRate && $0.company == nil } ?? false
  }

  /// Whether there is a name or the heart rate service in advertising data.
  @inline(__always)
  private static func isOfInterest(_ data: OctetWindow) -> Bool {
    var structures = AdvertisingStructures(data)
    while let structure = structures.next() {
      switch structure.type {
      case .completeLocalName, .shortenedLocalName: return true
      default:
        if let length = structure.type.serviceLength, listsHeartRate(structure.data, length) { return true }
      }
    }
    return false
  }

  /// Whether 180D is among service UUIDs, however long they are.
  fileprivate static func listsHeartRate(_ services: OctetWindow, _ length: Int) -> Bool {
    var reader = OctetReader(services.octets, layer: "advertising data")
    while let uuid = try? BluetoothUUID(parsing: &reader, octets: length) {
      if uuid == .heartRateService { return true }
    }
    return false
  }

  @inline(never)
  private mutating func note(
    remarkable report: AdvertisingReport, _ data: OctetWindow, _ adapter: UInt16,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    // Nobody knows whose it is, nor can it be connected to.
    if report.isAnonymous { return }
    let old = devices[report.address]
    var device = old ?? newDevice(report.address)
    device.note(report, data)
    renewed[report.address]?.note(report, data)
    if !report.isScanResponse { renewed[report.address]?.isHeardUnasked = true }
    if device.listsHeartRate, context.wantsAdvertisingTimes { noteTime(of: device, report, context) }
    guard device != old else { return }
    devices[report.address] = device
    guard device.listsHeartRate else { return }
    if old?.listsHeartRate != true, device.company == nil { looksForMaker = Self.mostForMaker }
    let event = AdvertisementEvent(
      adapter: adapter, address: report.address, identity: context.identities.identity(of: report.address),
      name: device.name,
      services: device.services, company: device.company, rssi: report.rssi)
    context.tell(.advertising(event), connection: nil)
  }

  private mutating func noteTime(
    of device: Device, _ report: AdvertisingReport, _ context: TrackingContext<some EventReceiver>
  ) {
    let (address, moment) = (report.address, context.moment)
    guard times[address] != nil || times.count < Self.mostTimes else { return }
    var time =
      times[address] ?? AdvertisedEvent(address: address, first: moment, last: moment, reports: 0)
    time.last = moment
    time.name = device.name
    if let isConnectable = report.isConnectable {
      time.takesConnections = time.takesConnections ?? false || isConnectable
    }
    time.reports &+= 1
    times[address] = time
  }

  /// Tells how long heart rate sensors advertised.
  func tellTimes(_ context: inout TrackingContext<some EventReceiver>) {
    let inOrder = times.values.sorted {
      ($0.first.time, $0.first.frame, $0.address.number) < ($1.first.time, $1.first.frame, $1.address.number)
    }
    for time in inOrder { context.tell(.advertised(time), connection: nil) }
  }

  /// What heart rate sensors are called that nobody has connected to.
  func concludeNames(_ conclusions: inout Conclusions) {
    // In the order they came: there may be more than names are kept of.
    for address in order[oldest...] + order[..<oldest] where conclusions.names[address] == nil {
      if let device = devices[address], device.listsHeartRate, let name = device.name {
        conclusions.note(name, of: address)
      }
    }
  }

  private mutating func newDevice(_ address: DeviceAddress) -> Device {
    if order.count < Self.most {
      order.append(address)
    } else {
      devices[order[oldest]] = nil
      order[oldest] = address
      oldest = (oldest + 1) % Self.most
    }
    return Device()
  }
}

extension Advertisers.Device {
  fileprivate mutating func note(_ report: AdvertisingReport, _ data: OctetWindow) {
    var structures = AdvertisingStructures(data)
    while let structure = structures.next() { note(structure) }
    if report.isScanResponse { isTold = true }
    if report.isTruncated { isTruncated = true }
  }

  private mutating func note(_ structure: AdvertisingStructure) {
    switch structure.type {
    case .completeLocalName:
      if setName(structure.data) { hasCompleteName = true }
    case .shortenedLocalName where !hasCompleteName:
      _ = setName(structure.data)
    case .manufacturerSpecificData:
      if structure.data.count >= 2 { company = structure.data.uint16(at: 0) }
    default:
      guard let length = structure.type.serviceLength else { return }
      if Advertisers.listsHeartRate(structure.data, length) { listsHeartRate = true }
      if structure.type == .completeServices16 { isTold = true }
      noteServices(structure.data, octets: length)
    }
  }

  private mutating func noteServices(_ data: OctetWindow, octets: Int) {
    var reader = OctetReader(data.octets, layer: "advertising data")
    while services.count < Self.mostServices,
      let uuid = try? BluetoothUUID(parsing: &reader, octets: octets)
    {
      if !services.contains(uuid) { services.append(uuid) }
    }
  }

  private static let mostServices = 64

  /// - Returns: Whether the field names it.
  private mutating func setName(_ octets: OctetWindow) -> Bool {
    isTold = true
    // Some senders fill the field up with zeros.
    var end = octets.count
    while end > 0, octets.uint8(at: end - 1) == 0 { end -= 1 }
    let octets = ContiguousArray(octets.prefix(end).octets)
    guard octets == nameOctets || String(decoding: octets, as: UTF8.self).unlessBlank != nil else { return false }
    nameOctets = octets
    return !nameOctets.isEmpty
  }
}

import CaptureFiles
import GATTKit

/// The measurements of one sensor on one connection, and how they came about.
public struct HeartRateSession: Sendable {
  /// Whose server sends them: the peer's, or the local host's in a capture taken on the sensor.
  public let server: ServerSide
  /// The handle of the measurement's value.
  public private(set) var measurementHandle: UInt16?
  /// The handle of its Client Characteristic Configuration; nil if it is not known.
  public var configurationHandle: UInt16? { subscription?.handle ?? discoveredConfiguration }
  /// The handle of the sensor's location; nil if it has none that is known.
  public private(set) var locationHandle: UInt16?
  /// The record that subscribed to it; nil if that is not in this connection.
  public var subscribed: Moment? { subscription?.moment }
  /// Whether the measurement was discovered on this connection, rather than on an earlier one with the same peer.
  public var isDiscovered: Bool { !discovered.isEmpty && inference == nil }
  /// Where the server's database comes from, if it was known beforehand.
  public internal(set) var origin: CaptureKnowledge.Origin?
  /// What the measurement's handle rests on, if nothing in the capture tells it.
  public internal(set) var inference: Inference?
  /// The figures.
  public private(set) var statistics = HeartRateStatistics()
  /// The measurements, where they are listed.
  public private(set) var measurements = MeasurementList()

  /// How often its notifications were switched off, where the first time, and where on again.
  public private(set) var switchedOff: (count: Int, first: Moment, again: Moment?)?
  /// Whether they are off.
  private var isOff = false
  /// Measurements that a filter leaves out.
  public private(set) var leftOut = 0
  /// When the first of those came, if it came before all others.
  private var leftOutFirst: Timestamp?
  /// Whether records were lost since the last measurement.
  private var hasLoss = false
  /// When the first measurement came, whether it was left out or not.
  var firstTime: Timestamp? { leftOutFirst ?? statistics.firstTime }
  /// How much came: first of what is not left out.
  var amount: (Int, Int) { (statistics.measurements, leftOut) }

  /// The first subscription to each measurement: a server may have several.
  private var subscriptions: [(value: UInt16?, handle: UInt16, moment: Moment)] = []
  private var discoveredConfiguration: UInt16?
  /// The measurements that were discovered on this connection.
  private var discovered: [UInt16] = []
  /// The handles that measurements came from.
  public private(set) var handles = MeasurementHandles()

  /// More are not looked at.
  private static let mostSubscriptions = 8
  private static let mostDiscovered = 8

  init(server: ServerSide) {
    self.server = server
  }

  /// How the measurement's handle is known: the name in reports.
  public var provenance: String {
    if inference != nil { return "inferred" }
    return isDiscovered ? "discovered" : (origin ?? .otherConnection).rawValue
  }

  mutating func note(_ measurement: HeartRateNotification, _ moment: Moment, lists: Bool) {
    if measurement.handle != handles.last { move(to: measurement.handle) }
    let offTime = statistics.offTime
    statistics.note(measurement, time: moment.time)
    guard lists else { return }
    measurements.append(
      measurement, moment,
      behind: MeasurementList.Interruption(hasLoss: hasLoss, offTime: statistics.offTime &- offTime))
    hasLoss = false
  }

  @inline(never)
  private mutating func move(to handle: UInt16) {
    // Another heart's beats, or those behind a change of the table.
    statistics.breakOff()
    handles.note(handle)
    if measurementHandle == nil { measurementHandle = handle }
  }

  /// A measurement that a filter leaves out.
  mutating func leaveOut(handle: UInt16, _ time: Timestamp) {
    if measurementHandle == nil { measurementHandle = handle }
    if firstTime == nil { leftOutFirst = time }
    leftOut += 1
  }

  /// A measurement was discovered.
  mutating func discover(_ handle: UInt16) {
    if discovered.count < Self.mostDiscovered { discovered.append(handle) }
  }

  /// What was inferred of the measurement; nil if it was discovered itself.
  func inference(among inferences: [Inference]) -> Inference? {
    guard let measurementHandle, !discovered.contains(measurementHandle) else { return nil }
    return inferences.first { $0.handle == measurementHandle && $0.server == server }
  }

  /// The connection has ended.
  mutating func settle() { statistics.settle() }

  mutating func noteClockStep() { statistics.noteClockStep() }

  /// Records were lost: beats may have been in them.
  mutating func noteLoss() {
    statistics.breakOff()
    hasLoss = true
  }

  /// - Parameter mayBeOn: Whether they may be on though nothing on this connection has switched them on.
  mutating func unsubscribe(_ subscription: SubscriptionEvent, _ moment: Moment, mayBeOn: Bool) {
    guard !isOff, subscription.mayBe(of: handles.last) else { return }
    guard mayBeOn || !subscriptions.isEmpty || firstTime != nil else { return }
    isOff = true
    switchedOff = ((switchedOff?.count ?? 0) + 1, switchedOff?.first ?? moment, switchedOff?.again)
    statistics.switchOff(at: moment.time)
  }

  mutating func subscribe(_ subscription: SubscriptionEvent, _ moment: Moment) {
    isOff = false
    if switchedOff != nil, switchedOff?.again == nil { switchedOff?.again = moment }
    statistics.switchOn(at: moment.time)
    guard subscriptions.count < Self.mostSubscriptions,
      !subscriptions.contains(where: { $0.value == subscription.valueHandle })
    else { return }
    subscriptions.append((subscription.valueHandle, subscription.handle, moment))
  }

  /// The subscription to the measurement that comes: its own, or one of which it is not known to what.
  private var subscription: (value: UInt16?, handle: UInt16, moment: Moment)? {
    guard let measurementHandle else { return subscriptions.first }
    return subscriptions.first { $0.value == measurementHandle } ?? subscriptions.first { $0.value == nil }
  }

  /// The session with a measurement handle that is known though nothing came on it.
  func with(measurementHandle handle: UInt16) -> HeartRateSession {
    var session = self
    session.measurementHandle = measurementHandle ?? handle
    return session
  }

  /// The session with the handles that the server's database tells.
  /// - Parameter locations: Where its server was asked for a location.
  func completed(by database: GATTDatabase?, _ locations: [UInt16] = []) -> HeartRateSession {
    guard let database else { return self }
    var session = self
    if let last = handles.last, last != measurementHandle {
      let told = database.valueHandles(of: .heartRateMeasurement)
      if told.contains(last), !told.contains(where: { $0 == measurementHandle }) {
        session.measurementHandle = last
      }
    }
    if session.configurationHandle == nil {
      session.discoveredConfiguration = session.measurementConfiguration(in: database)
    }
    session.locationHandle =
      session.discoveredLocation(in: database) ?? inference?.locationHandle
      ?? session.measurementHandle.flatMap { measurement in
        locations.first { database.mayBeLocation($0, of: measurement) }
      }
    return session
  }

  private func discoveredLocation(in database: GATTDatabase) -> UInt16? {
    guard let measurementHandle else { return database.valueHandle(of: .bodySensorLocation) }
    // The table may have changed since they came.
    let type = database.type(of: measurementHandle)
    guard type == nil || type == .heartRateMeasurement || inference != nil else { return nil }
    return database.valueHandle(of: .bodySensorLocation, beside: measurementHandle)
  }

  private func measurementConfiguration(in database: GATTDatabase) -> UInt16? {
    guard let measurementHandle, database.type(of: measurementHandle) == .heartRateMeasurement else { return nil }
    return database.characteristics(.heartRateMeasurement).first { $0.valueHandle == measurementHandle }?
      .descriptors.first { $0.uuid == .clientCharacteristicConfiguration }?.handle
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit

/// What a connection does with attributes whose types nothing in the capture tells: what they notify, which of them are
/// written as configurations are, which are read as locations are.
struct UnknownAttributes {
  private var candidates: [Candidate] = []
  private var configurations = Attributes(most: Self.most)
  /// Those through which notifications were switched on, and not indications alone.
  private var notifications = Attributes(most: Self.most)
  private var locations = Attributes(most: Self.most)

  /// All that notified anything, whatever it was: what they are may come to light later.
  private var notifying: Set<ServerAttribute> = []
  /// All that was read or written, the same way: few, and looked for whenever one is asked for again, without hashing.
  private var asked = Attributes(most: Self.mostNotifying)
  /// Those whose values no later table tells.
  private var dismissed: Set<ServerAttribute> = []
  /// Those of which so much is known that their types are nobody's but a vendor's.
  private var vendors: Set<ServerAttribute> = []
  /// Those that were told to be measurements, far from their declarations, and have notified.
  private var measuring = Attributes(most: Self.most)

  /// No sensor has as many attributes.
  private static let most = 64
  /// Those that are only remembered, without their values, take less.
  private static let mostNotifying = 256
  /// So many handles behind a measurement its location is looked for.
  static let mostToLocation = 5

  private struct Candidate {
    let attribute: ServerAttribute
    var evidence = MeasurementEvidence()
  }

  /// The first few attributes of which something came to light, each once, in order.
  private struct Attributes {
    let most: Int
    private(set) var all: [ServerAttribute] = []

    mutating func insert(_ handle: UInt16, of server: ServerSide) {
      let attribute = ServerAttribute(handle: handle, server: server)
      if all.count < most, !all.contains(attribute) { all.append(attribute) }
    }

    func handles(of server: ServerSide) -> [UInt16] { all.filter { $0.server == server }.map(\.handle) }

    /// The first that stands a few handles behind another attribute of the same server.
    func first(behind attribute: ServerAttribute, within distance: Int) -> UInt16? {
      handles(of: attribute.server).filter { handle in
        handle > attribute.handle && Int(handle) - Int(attribute.handle) <= distance
      }.min()
    }
  }

  /// A value came from an attribute of unknown type.
  mutating func came(from handle: UInt16, of server: ServerSide) {
    if notifying.count < Self.mostNotifying { notifying.insert(ServerAttribute(handle: handle, server: server)) }
  }

  /// A value came from an attribute that was told to be a heart rate measurement, far from its declaration: so it is one.
  mutating func measured(_ handle: UInt16, by server: ServerSide) { measuring.insert(handle, of: server) }

  /// The attributes of a server of which values have shown that.
  func measuring(of server: ServerSide) -> [UInt16] { measuring.handles(of: server) }

  /// An attribute of unknown type was read or written.
  mutating func asked(for handle: UInt16, of server: ServerSide) { asked.insert(handle, of: server) }

  /// The attributes of a server that were read or written while their types were not known.
  func asked(of server: ServerSide) -> [UInt16] { asked.handles(of: server) }

  /// The attributes of a server that have notified values while their types were not known.
  func notifying(of server: ServerSide) -> [UInt16] {
    notifying.filter { $0.server == server }.map(\.handle)
  }

  /// Of these, the ones whose values are hardly heart rates.
  func unlikely(of server: ServerSide) -> [UInt16] {
    candidates.filter { $0.attribute.server == server && $0.evidence.isUnlikely }.map(\.attribute.handle)
  }

  /// What is discovered from now on need not be what has notified before: it is where values speak for it.
  /// - Parameter isDenied: Whether an attribute cannot be a measurement beside what has been discovered.
  mutating func forgetUnlikely(of server: ServerSide, _ isDenied: (UInt16) -> Bool) {
    let unlikely = unlikely(of: server)
    for handle in notifying(of: server) where unlikely.contains(handle) || isDenied(handle) {
      let attribute = ServerAttribute(handle: handle, server: server)
      notifying.remove(attribute)
      dismissed.insert(attribute)
    }
  }

  /// The attributes of a server that notified values before its table changed, which are hardly heart rates.
  func dismissed(of server: ServerSide) -> Set<UInt16> {
    Set(dismissed.filter { $0.server == server }.map(\.handle))
  }

  /// An attribute was discovered, before its table changed: no later table tells what its values were.
  /// - Returns: Whether any came while its type was not known.
  mutating func settle(_ handle: UInt16, of server: ServerSide) -> Bool {
    notifying.remove(ServerAttribute(handle: handle, server: server)) != nil
  }

  /// An attribute's type was seen in part, and is a vendor's.
  mutating func noteVendors(_ handle: UInt16, of server: ServerSide) {
    if vendors.count < Self.mostNotifying { vendors.insert(ServerAttribute(handle: handle, server: server)) }
  }

  /// A value was notified.
  /// - Returns: How many values of this attribute have come; 0 if it is known to be none that is looked for.
  mutating func notified(
    _ handle: UInt16, _ value: CapturedOctets, by server: ServerSide, at time: Timestamp
  ) -> Int {
    let attribute = ServerAttribute(handle: handle, server: server)
    if vendors.contains(attribute) { return 0 }
    let place: Int
    if let known = candidates.firstIndex(where: { $0.attribute == attribute }) {
      place = known
    } else {
      guard candidates.count < Self.most else { return 0 }
      place = candidates.count
      candidates.append(Candidate(attribute: attribute))
    }
    candidates[place].evidence.note(value, at: time)
    return candidates[place].evidence.isRefuted ? 0 : candidates[place].evidence.values
  }

  /// Values were switched on through an attribute.
  mutating func configured(
    _ handle: UInt16, as configuration: ClientCharacteristicConfiguration, of server: ServerSide
  ) {
    configurations.insert(handle, of: server)
    if configuration.contains(.notification) { notifications.insert(handle, of: server) }
  }

  /// A value was read; only those of one octet that can be a location are of interest.
  mutating func read(_ handle: UInt16, _ value: CapturedOctets, of server: ServerSide) {
    if value.mayBeLocation { locations.insert(handle, of: server) }
  }

  /// Whether an attribute's type was seen in part, and is a vendor's.
  func isVendors(_ handle: UInt16, of server: ServerSide) -> Bool {
    vendors.contains(ServerAttribute(handle: handle, server: server))
  }

  /// What the values of each attribute are, as far as they can be measurements at all.
  /// - Parameters:
  ///   - peer: What is known of the peer, which counts for its own attributes only.
  ///   - known: Attributes that are taken for measurements already.
  ///   - past: What was made of them before a table changed: that says nothing of others since.
  ///   - place: Where an attribute stands to the heart rate service, others that notify aside.
  func inferences(
    _ peer: MeasurementSurroundings, besides known: [Inference], behind past: [Inference],
    place: (UInt16, ServerSide) -> PlaceInServices
  ) -> [Inference] {
    let places = candidates.map { place($0.attribute.handle, $0.attribute.server) }
    let inService = zip(candidates, places).filter { $1 == .aloneInHeartRate }.map(\.0.attribute)
    let found = zip(candidates, places).compactMap { candidate, place -> Rivals.Weighed? in
      let attribute = candidate.attribute
      var surroundings = attribute.server == .peer ? peer : MeasurementSurroundings()
      let isAlone = place != .aloneInHeartRate || !inService.contains { $0.isBeside(attribute) }
      surroundings.place = isAlone ? place : .inHeartRate
      return weighed(candidate, surroundings)
    }
    return Rivals(found, known, past).inferences
  }

  private func weighed(_ candidate: Candidate, _ known: MeasurementSurroundings) -> Rivals.Weighed? {
    let attribute = candidate.attribute
    guard !vendors.contains(attribute) else { return nil }
    var surroundings = known
    let configuration = configurations.first(behind: attribute, within: 2)
    let location = locations.first(behind: attribute, within: Self.mostToLocation)
    surroundings.configuration = configuration.map {
      notifications.handles(of: attribute.server).contains($0) ? .notification : .indication
    }
    surroundings.hasLocation = location != nil
    let value = Int(attribute.handle)
    surroundings.hasUsualLayout = configuration.map(Int.init) == value + 1 && location.map(Int.init) == value + 3
    surroundings.isAlone = notifying.count { $0.server == attribute.server } == 1
    guard let scale = candidate.evidence.weigh(surroundings) else { return nil }
    let inference = Inference(
      handle: attribute.handle, server: attribute.server, configurationHandle: configuration,
      mayBeConfigured: configuration == nil
        && configurations.handles(of: attribute.server).contains { $0 > attribute.handle },
      locationHandle: location, confidence: scale.confidence, evidence: scale.reasons, logOdds: scale.logOdds,
      values: candidate.evidence.values, intervalProof: candidate.evidence.intervalProof)
    return Rivals.Weighed(inference: inference, scale: scale)
  }
}

extension ServerAttribute {
  /// Whether it is another attribute of the same server.
  fileprivate func isBeside(_ other: ServerAttribute) -> Bool { server == other.server && handle != other.handle }
}

extension CapturedOctets {
  /// Whether a value is one octet that says where a sensor is worn, if it is a Body Sensor Location.
  var mayBeLocation: Bool { length == 1 && octets.count == 1 && octets[0] <= BodySensorLocation.foot.rawValue }
}

extension GATTDatabase {
  /// Whether an attribute of unknown type stands where a measurement has its location: in its service, or, where that is
  /// not known, behind its configuration and one declaration.
  func mayBeLocation(_ handle: UInt16, of measurement: UInt16) -> Bool {
    let distance = Int(handle) - Int(measurement)
    guard (1...UnknownAttributes.mostToLocation).contains(distance), type(of: handle) == nil,
      valueHandle(of: .bodySensorLocation, beside: measurement) == nil
    else { return false }
    let service = serviceHandles(at: measurement)
    return serviceHandles(at: handle) == service && (service != nil || distance == 3)
  }
}

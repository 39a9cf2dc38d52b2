/// What is known of a GATT server's attributes: as it is found out, in any order, by any discovery procedure.
///
/// Facts go in one by one and the newest wins: a service that overlaps others replaces them and all they held, since a
/// server's handles mean one thing at a time. What comes out is a tree, `services`, and the type of any handle.
public struct GATTDatabase: Hashable, Sendable {
  private var groups: [Group] = []
  private var values: [Value] = []
  /// The types of attributes that are no characteristic's value: declarations and descriptors.
  private var others: [GATTDescriptor] = []
  private var includes: [GATTInclude] = []

  private struct Group: Hashable, Sendable {
    let handles: ClosedRange<UInt16>
    let uuid: BluetoothUUID?
    let isPrimary: Bool?
    /// Whether it lies in the range of another, which no server should have.
    var isInner = false

    /// Whether two tell of one service.
    func isSameService(as other: Group) -> Bool {
      handles.lowerBound == other.handles.lowerBound && (uuid == nil || other.uuid == nil || uuid == other.uuid)
    }

    /// What this and a newer word on the same service tell together.
    func united(with newer: Group) -> Group {
      let isOpen = newer.handles.upperBound == .max
      return Group(
        handles: isOpen ? handles : newer.handles, uuid: newer.uuid ?? uuid, isPrimary: newer.isPrimary ?? isPrimary,
        isInner: isInner)
    }

    /// Whether another lies in the range of this one, behind its declaration.
    func surrounds(_ other: Group) -> Bool {
      handles.lowerBound < other.handles.lowerBound && other.handles.upperBound <= handles.upperBound
        && handles.upperBound < .max
    }

    /// The same, where another service turns out to begin.
    func ending(before handle: UInt16) -> Group {
      Group(handles: handles.lowerBound...handle - 1, uuid: uuid, isPrimary: isPrimary)
    }
  }

  private struct Value: Hashable, Sendable {
    let handle: UInt16
    let declaration: UInt16?
    let properties: CharacteristicProperties?
    let uuid: BluetoothUUID?

    /// The value follows its declaration, but strangers may say otherwise.
    var firstHandle: UInt16 { min(declaration ?? handle, handle) }

    /// What is known from here, and then from there, if both are of one type.
    func completed(by other: Value) -> Value {
      guard uuid == nil || uuid == other.uuid else { return self }
      return Value(
        handle: handle, declaration: declaration ?? other.declaration, properties: properties ?? other.properties,
        uuid: uuid ?? other.uuid)
    }
  }

  /// A database of which nothing is known.
  public init() {}

  /// Whether nothing is known.
  public var isEmpty: Bool { groups.isEmpty && values.isEmpty && others.isEmpty }

  /// Whether any service is known.
  public var hasServices: Bool { !groups.isEmpty }
}

// MARK: - Facts

extension GATTDatabase {
  /// A service takes these handles. The last service of a server may be said to reach up to 0xFFFF: what is known more
  /// exactly holds, before and afterwards. Core 6.0, Vol 3, Part F, 3.4.3.4.
  /// - Parameter isTold: Whether the service that begins at a handle is told by the same discovery. Then the two are there
  ///   side by side, even where a server at fault puts one into the range of the other.
  public mutating func insertService(
    _ handles: ClosedRange<UInt16>, uuid: BluetoothUUID?, isPrimary: Bool?,
    besides isTold: (UInt16) -> Bool = { _ in false }
  ) {
    var group = Group(handles: handles, uuid: uuid, isPrimary: isPrimary)
    // What is told again changes nothing, nor does it take away what stood beside it.
    let known = groups.lowerBound { $0.handles.lowerBound < handles.lowerBound }
    if known < groups.count, groups[known].handles == handles, groups[known].isSameService(as: group) {
      groups[known] = groups[known].united(with: group)
      return
    }
    var others: [Group] = []
    for old in groups {
      if old.isSameService(as: group) {
        group = old.united(with: group)
        if group.handles.upperBound < old.handles.upperBound, old.handles.upperBound < .max {
          forget(group.handles.upperBound + 1...old.handles.upperBound)
        }
      } else if !old.handles.overlaps(group.handles) {
        others.append(old)
      } else if isTold(old.handles.lowerBound), let both = nested(old, group) {
        group = both.new
        others.append(both.old)
      } else if old.handles.upperBound == .max, old.handles.lowerBound < handles.lowerBound {
        others.append(old.ending(before: handles.lowerBound))
      } else if old.uuid != nil, uuid != nil {
        // What was found before its service was is the service's: only what another service held goes.
        forget(old.handles)
      }
    }
    groups = others
    groups.insert(group, at: groups.firstIndex { $0.handles.lowerBound > handles.lowerBound } ?? groups.endIndex)
  }

  /// Two services of which one lies in the range of the other; nil if neither does. There are few, and none lies in one
  /// that lies in another.
  private func nested(_ old: Group, _ new: Group) -> (old: Group, new: Group)? {
    guard !old.isInner, !new.isInner, groups.count(where: \.isInner) < Self.mostInner else { return nil }
    var both = (old: old, new: new)
    if old.surrounds(new) {
      both.new.isInner = true
    } else if new.surrounds(old) {
      both.old.isInner = true
    } else {
      return nil
    }
    return both
  }

  private static let mostInner = 8

  /// Forgets primary services that begin between two handles, with all that is in them.
  /// - Parameters:
  ///   - uuid: The type of those services; nil for any.
  ///   - isGone: Whether one that begins at a handle is to be forgotten.
  public mutating func removePrimaryServices(
    in handles: ClosedRange<UInt16>, of uuid: BluetoothUUID? = nil, where isGone: (UInt16) -> Bool
  ) {
    let gone = groups.filter {
      $0.isPrimary != false && handles.contains($0.handles.lowerBound) && (uuid == nil || $0.uuid == uuid)
        && isGone($0.handles.lowerBound)
    }
    groups.removeAll { group in gone.contains { $0.handles == group.handles } }
    for group in gone { forget(group.handles) }
  }

  /// Forgets characteristics by the handles of their values, with their descriptors.
  public mutating func removeCharacteristics(_ valueHandles: Set<UInt16>) {
    guard let first = valueHandles.min(), let last = valueHandles.max() else { return }
    let gone = values.lowerBound { $0.handle < first }..<values.lowerBound { $0.handle <= last }
    let next = gone.upperBound < values.count ? values[gone.upperBound].handle : .max
    let behind = others.lowerBound { $0.handle <= first }..<others.lowerBound { $0.handle <= next }
    let otherOnes = others[behind].filter { other in
      let place = values.lowerBound { $0.handle <= other.handle }
      return place == 0 || other.isDeclaration || !valueHandles.contains(values[place - 1].handle)
    }
    others.replaceSubrange(behind, with: otherOnes)
    values.replaceSubrange(gone, with: values[gone].filter { !valueHandles.contains($0.handle) })
  }

  /// A characteristic is declared, or its value was found.
  public mutating func insertCharacteristic(
    declaration: UInt16?, valueHandle: UInt16, properties: CharacteristicProperties?, uuid: BluetoothUUID?
  ) {
    let place = values.lowerBound { $0.handle < valueHandle }
    let old = place < values.count && values[place].handle == valueHandle ? values[place] : nil
    let keepsOld = old != nil && (uuid == nil || old?.uuid == nil || old?.uuid == uuid)
    let value = Value(
      handle: valueHandle, declaration: declaration ?? (keepsOld ? old?.declaration : nil),
      properties: properties ?? (keepsOld ? old?.properties : nil), uuid: uuid ?? old?.uuid)
    if old == nil { values.insert(value, at: place) } else { values[place] = value }
    others.removeAll { $0.handle == valueHandle }
    if let declaration { values.removeAll { $0.declaration == declaration && $0.handle != valueHandle } }
  }

  /// An attribute has this type, as Find Information tells.
  public mutating func insertAttribute(_ handle: UInt16, uuid: BluetoothUUID) {
    let place = values.lowerBound { $0.handle < handle }
    if place < values.count, values[place].handle == handle {
      guard values[place].uuid != uuid else { return }
      insertCharacteristic(declaration: nil, valueHandle: handle, properties: nil, uuid: uuid)
    } else {
      let place = others.lowerBound { $0.handle < handle }
      let descriptor = GATTDescriptor(handle: handle, uuid: uuid)
      if place < others.count, others[place].handle == handle {
        others[place] = descriptor
      } else {
        others.insert(descriptor, at: place)
      }
    }
  }

  /// A service includes another.
  public mutating func insertInclude(_ include: GATTInclude) {
    includes.removeAll { $0.handle == include.handle }
    includes.insert(include, at: includes.firstIndex { $0.handle > include.handle } ?? includes.endIndex)
  }

  /// Takes over what another database of the same server knows, as far as it does not contradict what is known.
  public mutating func fillIn(from other: GATTDatabase) {
    let own = self
    func isAgreed(_ handle: UInt16) -> Bool {
      guard let here = own.group(at: handle), let there = other.group(at: handle) else { return true }
      return here.isSameService(as: there)
    }
    let declarations = Set(values.compactMap(\.declaration))
    groups = (groups + other.groups.filter(own.hasRoom)).sorted { $0.handles.lowerBound < $1.handles.lowerBound }
    values = values.map { value in other.value(at: value.handle).map(value.completed) ?? value }
    let newValues = other.values.filter { value in
      isAgreed(value.handle) && !own.knows(value.handle) && !(value.declaration.map(declarations.contains) ?? false)
    }
    values = (values + newValues).sorted { $0.handle < $1.handle }
    let newAttributes = other.others.filter { isAgreed($0.handle) && !own.knows($0.handle) }
    others = (others + newAttributes).sorted { $0.handle < $1.handle }
    let included = Set(includes.map(\.handle))
    let newIncludes = other.includes.filter { isAgreed($0.handle) && !included.contains($0.handle) }
    includes = (includes + newIncludes).sorted { $0.handle < $1.handle }
  }

  /// The service that has a handle: where one lies in the range of another, the inner one.
  private func group(at handle: UInt16) -> Group? {
    let place = groups.lowerBound { $0.handles.lowerBound <= handle }
    return groups[..<place].suffix(Self.mostInner + 1).last { $0.handles.contains(handle) }
  }

  /// Whether no service overlaps another.
  private func hasRoom(for other: Group) -> Bool {
    let next = groups.lowerBound { $0.handles.lowerBound < other.handles.lowerBound }
    return group(at: other.handles.lowerBound) == nil
      && (next == groups.count || groups[next].handles.lowerBound > other.handles.upperBound)
  }

  private func value(at handle: UInt16) -> Value? {
    let place = values.lowerBound { $0.handle < handle }
    return place < values.count && values[place].handle == handle ? values[place] : nil
  }

  /// Whether anything is known of an attribute.
  private func knows(_ handle: UInt16) -> Bool { value(at: handle) != nil || type(of: handle) != nil }

  private mutating func forget(_ handles: ClosedRange<UInt16>) {
    values.removeAll { handles.contains($0.handle) }
    others.removeAll { handles.contains($0.handle) }
    includes.removeAll { handles.contains($0.handle) }
  }
}

// MARK: - Questions

extension GATTDatabase {
  /// The type of an attribute: a characteristic's for its value; nil if it is not known.
  public func type(of handle: UInt16) -> BluetoothUUID? {
    let place = values.lowerBound { $0.handle < handle }
    if place < values.count, values[place].handle == handle { return values[place].uuid }
    let other = others.lowerBound { $0.handle < handle }
    return other < others.count && others[other].handle == handle ? others[other].uuid : nil
  }

  /// The characteristic to which a handle belongs as its value or a descriptor: the nearest value at or before it, if
  /// nothing lies between.
  public func characteristic(owning handle: UInt16) -> GATTCharacteristic? {
    let place = values.lowerBound { $0.handle <= handle }
    guard place > 0 else { return nil }
    let value = values[place - 1]
    if place < values.count, let next = values[place].declaration, next <= handle { return nil }
    if let first = groups.first, first.handles.lowerBound <= handle {
      let service = group(at: handle)
      guard service == group(at: value.handle), service != nil || isAlone(value, until: handle) else { return nil }
    }
    return characteristic(value, until: handle)
  }

  /// Whether a value of known type, in no known service, has none behind it up to a handle.
  private func isAlone(_ value: Value, until handle: UInt16) -> Bool {
    let next = groups.lowerBound { $0.handles.lowerBound < value.handle }
    return value.uuid != nil && (next == groups.count || groups[next].handles.lowerBound > handle)
  }

  /// Whether there is a characteristic of a type.
  public func holdsCharacteristic(_ uuid: BluetoothUUID) -> Bool { values.contains { $0.uuid == uuid } }

  /// The type of the service that has a handle; nil if the handle lies in none, or its type is not known.
  public func serviceType(at handle: UInt16) -> BluetoothUUID? {
    group(at: handle)?.uuid
  }

  /// The handles of the service that has a handle; nil if none is known to.
  public func serviceHandles(at handle: UInt16) -> ClosedRange<UInt16>? { group(at: handle)?.handles }

  /// The characteristics with their values between two handles, without their descriptors, in the order of their handles.
  public func characteristics(withValuesIn handles: ClosedRange<UInt16>) -> [GATTCharacteristic] {
    let first = values.lowerBound { $0.handle < handles.lowerBound }
    return values[first...].prefix { $0.handle <= handles.upperBound }.map {
      GATTCharacteristic(
        declaration: $0.declaration, valueHandle: $0.handle, properties: $0.properties, uuid: $0.uuid)
    }
  }

  /// All characteristics of a type, in the order of their handles.
  public func characteristics(_ uuid: BluetoothUUID) -> [GATTCharacteristic] {
    services.flatMap { $0.characteristics.filter { $0.uuid == uuid } }
  }

  /// The services with all that is in them, in the order of their handles. Characteristics outside any known service
  /// are gathered in services of unknown type.
  public var services: [GATTService] {
    var services: [GATTService] = []
    var next = 0
    func takeValues(_ belongs: (Value) -> Bool) -> [Value] {
      let start = next
      while next < values.count, belongs(values[next]) { next += 1 }
      return Array(values[start..<next])
    }
    func takeValues(in group: Group) -> [Value] {
      takeValues { group.handles.contains($0.handle) || group.handles.contains($0.firstHandle) }
    }
    var place = 0
    while place < groups.count {
      let group = groups[place]
      let strays = takeValues { $0.firstHandle < group.handles.lowerBound }
      if let stray = unknownService(strays, before: group.handles.lowerBound) { services.append(stray) }
      let inner = groups[(place + 1)...].prefix { group.handles.contains($0.handles.lowerBound) }
      place += 1 + inner.count
      var own: [GATTCharacteristic] = []
      let innerServices = inner.map { part in
        own += characteristics(
          takeValues { $0.firstHandle < part.handles.lowerBound }, end: part.handles.lowerBound - 1)
        return service(part, characteristics(takeValues(in: part), end: part.handles.upperBound))
      }
      own += characteristics(takeValues(in: group), end: group.handles.upperBound)
      services.append(service(group, own, besides: inner))
      services += innerServices
    }
    if let stray = unknownService(takeValues { _ in true }, before: nil) { services.append(stray) }
    return services
  }

  private func service(
    _ group: Group, _ characteristics: [GATTCharacteristic], besides inner: ArraySlice<Group> = []
  ) -> GATTService {
    let includes = includes.filter { include in
      group.handles.contains(include.handle) && !inner.contains { $0.handles.contains(include.handle) }
    }
    return GATTService(
      handles: group.handles, uuid: group.uuid, isPrimary: group.isPrimary, includes: includes,
      characteristics: characteristics)
  }

  private func unknownService(_ values: [Value], before: UInt16?) -> GATTService? {
    guard let first = values.first, let last = values.last else { return nil }
    let limit = before.map { $0 - 1 } ?? .max
    let descriptors = others.filter { $0.handle > last.handle && $0.handle <= limit && !$0.isDeclaration }
    let end = max(last.handle, descriptors.last?.handle ?? 0)
    return GATTService(
      handles: first.firstHandle...end, uuid: nil, characteristics: characteristics(values, end: end))
  }

  private func characteristics(_ values: [Value], end: UInt16) -> [GATTCharacteristic] {
    values.indices.map { index in
      let limit = index + 1 < values.count ? values[index + 1].firstHandle : nil
      return characteristic(values[index], until: limit.map { $0 > 0 ? $0 - 1 : 0 } ?? end)
    }
  }

  private func characteristic(_ value: Value, until end: UInt16) -> GATTCharacteristic {
    GATTCharacteristic(
      declaration: value.declaration, valueHandle: value.handle, properties: value.properties, uuid: value.uuid,
      descriptors: others.filter { $0.handle > value.handle && $0.handle <= end && !$0.isDeclaration })
  }
}

extension GATTDescriptor {
  /// Whether this is no descriptor but a declaration, which has a place of its own.
  fileprivate var isDeclaration: Bool {
    switch uuid {
    case .primaryService, .secondaryService, .include, .characteristic: true
    default: false
    }
  }
}

extension Array {
  /// The index of the first element for which `isBefore` no longer holds.
  fileprivate func lowerBound(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

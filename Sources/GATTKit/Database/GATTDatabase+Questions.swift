// What is asked of a database, and the tree that comes out.

extension GATTDatabase {
  /// The type of an attribute: a characteristic's for its value; nil if it is not known.
  ///
  /// What declares a service, an include or a characteristic has a type here only if that was told by itself, with
  /// `insertAttribute(_:uuid:)`; where they stand, `services` tells.
  @inlinable public func type(of handle: UInt16) -> BluetoothUUID? {
    if let value = values[handle] { return value.uuid }
    return others[handle]?.uuid ?? declarations[handle]?.uuid
  }

  /// The characteristic to which a handle belongs as its value or a descriptor, with its descriptors: the nearest value at
  /// or before it, if nothing that is known lies between, neither a declaration nor the border of a service; nil for a
  /// declaration. Core 6.0, Vol 3, Part G, 3.3.
  public func characteristic(owning handle: UInt16) -> GATTCharacteristic? { owner(of: handle).map(characteristic) }

  /// The same without its descriptors: to gather them takes time where there are many.
  package func bareCharacteristic(owning handle: UInt16) -> GATTCharacteristic? { owner(of: handle)?.characteristic }

  private func owner(of handle: UInt16) -> Value? {
    guard let value = values.last(upTo: handle, among: 1, where: { _ in true }), handle <= lastHandle(of: value) else {
      return nil
    }
    // A value of unknown type behind services, and in none, may be another table's.
    guard value.uuid != nil || group(at: value.handle) != nil || (groups.first(from: 0)?.handle ?? .max) > value.handle
    else { return nil }
    return value
  }

  /// The last handle that a descriptor of a characteristic may have: its definition ends where anything is declared, and
  /// with its service. Core 6.0, Vol 3, Part G, 3.3.
  private func lastHandle(of value: Value) -> UInt16 {
    guard value.handle < .max else { return .max }
    var last = group(at: value.handle)?.handles.upperBound ?? .max
    func end(before next: UInt16?) { if let next { last = min(last, max(next, value.handle + 1) - 1) } }
    let behind = value.handle + 1
    end(before: values.first(from: behind)?.firstHandle)
    end(before: groups.first(from: behind)?.handle)
    end(before: declared.first(from: behind)?.handle)
    end(before: declarations.first(from: behind)?.handle)
    end(before: includes.first(from: behind)?.handle)
    return last
  }

  /// Whether a characteristic has no Client Characteristic Configuration: its server has told what each handle behind its
  /// value is, up to the next declaration or the end of its service, and none is that.
  /// - Parameter valueHandle: The handle of its value; one of which nothing is known lacks nothing.
  package func lacksConfiguration(_ valueHandle: UInt16) -> Bool {
    guard let value = values[valueHandle], group(at: valueHandle) != nil else { return false }
    let descriptors = descriptors(of: value)
    return descriptors.count == Int(lastHandle(of: value)) - Int(valueHandle)
      && !descriptors.contains { $0.uuid == .clientCharacteristicConfiguration }
  }

  /// Whether there is a characteristic of a type.
  public func holdsCharacteristic(_ uuid: BluetoothUUID) -> Bool { values.contains { $0.uuid == uuid } }

  /// Whether there is a characteristic of a type whose value stands right behind its declaration, as far as that is known.
  /// - Parameter handles: Where the value is to be; nil: anywhere.
  package func holdsOrderedCharacteristic(_ uuid: BluetoothUUID, in handles: ClosedRange<UInt16>? = nil) -> Bool {
    values.contains { value in
      value.uuid == uuid && value.characteristic.followsDeclaration && handles.map { $0.contains(value.handle) } ?? true
    }
  }

  /// The handle of the first characteristic value of a type; nil if there is none.
  public func valueHandle(of uuid: BluetoothUUID) -> UInt16? { values.first(where: { $0.uuid == uuid })?.handle }

  /// The handles of all characteristic values of a type, in their order.
  package func valueHandles(of uuid: BluetoothUUID) -> [UInt16] {
    values.elements { $0.uuid == uuid }.map(\.handle)
  }

  /// The handle of a characteristic value of a type that belongs to an attribute: the nearest in the service of that, or
  /// else outside other services of its type.
  package func valueHandle(of uuid: BluetoothUUID, beside handle: UInt16) -> UInt16? {
    let (own, type) = (serviceHandles(at: handle), serviceType(at: handle))
    let all = valueHandles(of: uuid)
    let inside = all.filter { serviceHandles(at: $0) == own }
    let outside = all.filter { own == nil || serviceType(at: $0) != type }
    return (inside.isEmpty ? outside : inside).min { abs(Int($0) - Int(handle)) < abs(Int($1) - Int(handle)) }
  }

  /// The type of the service that has a handle; nil if the handle lies in none, or its type is not known.
  public func serviceType(at handle: UInt16) -> BluetoothUUID? {
    group(at: handle)?.uuid
  }

  /// The handles of the service that has a handle; nil if none is known to.
  public func serviceHandles(at handle: UInt16) -> ClosedRange<UInt16>? { group(at: handle)?.handles }

  /// Whether any service has handles among these.
  package func holdsService(in handles: ClosedRange<UInt16>) -> Bool {
    group(at: handles.lowerBound) != nil
      || groups.first(from: handles.lowerBound).map { handles.contains($0.handle) } ?? false
  }

  /// Whether a service that is known may be the one that takes these handles: it begins with them, and ends with them; or
  /// where it ends is not known, and no other begins between.
  package func mayTake(_ handles: ClosedRange<UInt16>) -> Bool {
    guard let known = groups[handles.lowerBound]?.handles else { return false }
    let isOpen = known.count == 1 || known.upperBound == .max
    return known == handles || isOpen && groups.elements(in: handles).count == 1
  }

  /// The declarations and descriptors between two handles, as far as they were told by themselves.
  public func declarationsAndDescriptors(in handles: ClosedRange<UInt16>) -> [GATTDescriptor] {
    (declarations.elements(in: handles) + others.elements(in: handles)).sorted { $0.handle < $1.handle }
  }

  /// The characteristics with their values between two handles, without their descriptors, in the order of their handles.
  public func characteristics(withValuesIn handles: ClosedRange<UInt16>) -> [GATTCharacteristic] {
    values.elements(in: handles).map { $0.characteristic }
  }

  /// The characteristics that are declared between two handles, wherever their values are, without their descriptors.
  package func characteristics(declaredIn handles: ClosedRange<UInt16>) -> [GATTCharacteristic] {
    declared.elements(in: handles).compactMap { values[$0.valueHandle]?.characteristic }
  }

  /// The characteristic with its value at a handle, without its descriptors; nil if there is none.
  public func characteristic(withValueAt handle: UInt16) -> GATTCharacteristic? { values[handle]?.characteristic }

  /// Whether a characteristic's value may stand at a handle, as far as is known: nothing else does, nor does anything but a
  /// declaration of a characteristic stand right before it. Core 6.0, Vol 3, Part G, 3.3.
  package func mayHoldValue(at handle: UInt16) -> Bool {
    if values[handle] != nil { return true }
    guard handle > 1, !isDeclared(handle), others[handle]?.uuid.isDescriptor != true else { return false }
    if declared[handle - 1] != nil || declarations[handle - 1]?.uuid == .characteristic { return true }
    return values[handle - 1] == nil && !isDeclared(handle - 1) && others[handle - 1] == nil
  }

  /// Whether something is declared at a handle: a service, an include or a characteristic.
  private func isDeclared(_ handle: UInt16) -> Bool {
    groups[handle] != nil || declared[handle] != nil || includes[handle] != nil || declarations[handle] != nil
  }

  /// What a handle declares, by what is known of it: a service, an include or a characteristic; nil if it is none of them.
  package func declaration(at handle: UInt16) -> BluetoothUUID? {
    if let group = groups[handle] { return group.isPrimary.map { $0 ? .primaryService : .secondaryService } }
    return includes[handle] != nil ? .include : declared[handle] != nil ? .characteristic : nil
  }

  /// All characteristics of a type, in the order of their handles.
  public func characteristics(_ uuid: BluetoothUUID) -> [GATTCharacteristic] {
    values.elements { $0.uuid == uuid }.map(characteristic)
  }

  /// All services of a type, in the order of their handles: a server may have several.
  public func services(_ uuid: BluetoothUUID) -> [GATTService] { services { $0 == uuid } }

  /// The services with all that is in them, in the order of their handles. Characteristics outside any known service
  /// are gathered in services of unknown type.
  ///
  /// Where a declaration and descriptors behind it were told by themselves, and not what is between, that is a
  /// characteristic of unknown type, here alone. What was told by itself and has no place in any is in none of them:
  /// `type(of:)` and `declarationsAndDescriptors(in:)` tell it.
  public var services: [GATTService] { services { _ in true } }

  /// Those of them that are wanted: a server may have thousands, and the others are not built.
  private func services(where isWanted: (BluetoothUUID?) -> Bool) -> [GATTService] {
    let groups = groups.elements
    let values = (values.elements + untoldValues).sorted { $0.handle < $1.handle }
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
    func add(_ group: Group, _ values: [Value], besides inner: ArraySlice<Group> = []) {
      if isWanted(group.uuid) { services.append(service(group, values, besides: inner)) }
    }
    func addUnknown(_ values: [Value]) {
      if isWanted(nil), let stray = unknownService(values) { services.append(stray) }
    }
    var place = 0
    while place < groups.count {
      let group = groups[place]
      addUnknown(takeValues { $0.firstHandle < group.handles.lowerBound })
      let inner = groups[(place + 1)...].prefix { group.handles.contains($0.handles.lowerBound) }
      place += 1 + inner.count
      var own: [Value] = []
      for part in inner {
        own += takeValues { $0.firstHandle < part.handles.lowerBound }
        add(part, takeValues(in: part))
      }
      own += takeValues(in: group)
      add(group, own, besides: inner)
    }
    addUnknown(takeValues { _ in true })
    // Where declarations lie far from their values, parts of what is in no service were found out of order.
    return services.sorted { $0.handles.lowerBound < $1.handles.lowerBound }
  }

  private func service(_ group: Group, _ values: [Value], besides inner: ArraySlice<Group> = []) -> GATTService {
    let includes = includes.elements(in: group.handles).filter { include in
      !inner.contains { $0.handles.contains(include.handle) }
    }.map(withType)
    return GATTService(
      handles: group.handles, uuid: group.uuid, isPrimary: group.isPrimary, includes: includes,
      characteristics: values.map(characteristic))
  }

  /// An include with the type of the service that it includes, as far as either tells it.
  private func withType(_ include: GATTInclude) -> GATTInclude {
    guard include.uuid == nil, mayTake(include.service) else { return include }
    let type = groups[include.service.lowerBound]?.uuid
    return GATTInclude(handle: include.handle, service: include.service, uuid: type)
  }

  /// The values of which no more is known than where they stand, right behind a declaration, and that they have descriptors.
  /// Core 6.0, Vol 3, Part G, 3.3.
  private var untoldValues: [Value] {
    declarations.elements.filter { $0.uuid == .characteristic && $0.handle < .max && declared[$0.handle] == nil }
      .map { Value(handle: $0.handle + 1, declaration: $0.handle, properties: nil, uuid: nil) }
      .filter { values[$0.handle] == nil && others[$0.handle] == nil && !isDeclared($0.handle) }
      .filter { !descriptors(of: $0).isEmpty }
  }

  private func unknownService(_ values: [Value]) -> GATTService? {
    let characteristics = values.map(characteristic)
    guard let first = characteristics.first, let last = characteristics.last else { return nil }
    return GATTService(
      handles: first.firstHandle...(last.descriptors.last?.handle ?? last.valueHandle), uuid: nil,
      characteristics: characteristics)
  }

  private func characteristic(_ value: Value) -> GATTCharacteristic {
    GATTCharacteristic(
      declaration: value.declaration, valueHandle: value.handle, properties: value.properties, uuid: value.uuid,
      descriptors: descriptors(of: value))
  }

  /// What is known to stand behind a value, up to the end of its characteristic.
  func descriptors(of value: Value) -> [GATTDescriptor] {
    let last = lastHandle(of: value)
    return value.handle < last ? others.elements(in: value.handle + 1...last) : []
  }
}

extension GATTDescriptor {
  /// Whether this is no descriptor but a declaration, which has a place of its own.
  var isDeclaration: Bool {
    switch uuid {
    case .primaryService, .secondaryService, .include, .characteristic: true
    default: false
    }
  }
}

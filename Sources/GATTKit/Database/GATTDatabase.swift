/// What is known of a GATT server's attributes: as it is found out, in any order, by any discovery procedure.
///
/// Facts go in one by one and the newest wins: a service that overlaps others replaces them, since a server's handles mean
/// one thing at a time, and all they held, if the types of both are known. Where one is not, it may be the service that what
/// was found there belongs to, so that stays. What comes out is a tree, `services`, and the types of values and descriptors.
public struct GATTDatabase: Hashable, Sendable {
  private(set) var groups = HandleTable<Group>()
  @usableFromInline private(set) var values = HandleTable<Value>()
  /// Where the characteristics are declared.
  private(set) var declared = HandleTable<Declaration>()
  /// The declarations that were told by themselves.
  @usableFromInline private(set) var declarations = HandleTable<GATTDescriptor>()
  /// The types of attributes that are no declaration and no characteristic's value, as far as is known: descriptors.
  @usableFromInline private(set) var others = HandleTable<GATTDescriptor>()
  private(set) var includes = HandleTable<GATTInclude>()

  /// A service without what is in it.
  struct Group: Hashable, Sendable, Handled {
    var handle: UInt16 { handles.lowerBound }
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

  /// A characteristic without its descriptors.
  @usableFromInline struct Value: Hashable, Sendable, Handled {
    @usableFromInline let handle: UInt16
    let declaration: UInt16?
    let properties: CharacteristicProperties?
    @usableFromInline let uuid: BluetoothUUID?

    /// The value follows its declaration, but strangers may say otherwise.
    var firstHandle: UInt16 { min(declaration ?? handle, handle) }

    /// What it is to others, without its descriptors.
    var characteristic: GATTCharacteristic {
      GATTCharacteristic(declaration: declaration, valueHandle: handle, properties: properties, uuid: uuid)
    }

    /// What is known from here, and then from there, if both are of one type.
    func completed(by other: Value) -> Value {
      guard uuid == nil || uuid == other.uuid else { return self }
      return Value(
        handle: handle, declaration: declaration ?? other.declaration, properties: properties ?? other.properties,
        uuid: uuid ?? other.uuid)
    }
  }

  /// The declaration of a characteristic.
  struct Declaration: Hashable, Sendable, Handled {
    let handle: UInt16
    /// Where the value is that it tells of.
    let valueHandle: UInt16
  }

  /// A database of which nothing is known.
  public init() {}

  /// A database of services with all that is in them, as `services` hands them out.
  public init(services: [GATTService]) {
    for service in services { insertService(service) }
  }

  /// Whether nothing is known.
  public var isEmpty: Bool {
    groups.isEmpty && values.isEmpty && declarations.isEmpty && others.isEmpty && includes.isEmpty
  }

  /// How many services, characteristics, other attributes and includes are known.
  public var count: Int { groups.count + values.count + declarations.count + others.count + includes.count }

  /// Whether any service is known.
  public var hasServices: Bool { !groups.isEmpty }
  /// How many services are known.
  public var serviceCount: Int { groups.count }
}

// MARK: - For keeping

extension GATTDatabase: Codable {
  /// Reads a database that was kept, as the list of its services.
  /// - Throws: `DecodingError` if it is none.
  public init(from decoder: any Decoder) throws { self.init(services: try [GATTService](from: decoder)) }

  /// Writes the database as the list of its services. Attributes that lie in no known service are not in it.
  public func encode(to encoder: any Encoder) throws { try services.encode(to: encoder) }
}

// MARK: - Facts

extension GATTDatabase {
  /// A service takes these handles. The last service of a server may be said to reach up to 0xFFFF: what is known more
  /// exactly holds, before and afterwards. Core 6.0, Vol 3, Part F, 3.4.3.4.
  /// - Parameters:
  ///   - handles: The handle of its declaration, and the last one that belongs to it.
  ///   - uuid: Its type; nil where it is not known.
  ///   - isPrimary: Whether it is a primary service; nil where that is not known.
  ///   - isTold: Whether the service that begins at a handle is told by the same discovery. Then the two are there
  ///     side by side, even where a server at fault puts one into the range of the other.
  public mutating func insertService(
    _ handles: ClosedRange<UInt16>, uuid: BluetoothUUID?, isPrimary: Bool?,
    besides isTold: (UInt16) -> Bool = { _ in false }
  ) {
    var group = Group(handles: handles, uuid: uuid, isPrimary: isPrimary)
    if let known = groups[handles.lowerBound], known.isSameService(as: group) {
      group = known.united(with: group)
      // What is told again changes nothing, nor does it take away what stood beside it.
      guard known.handles != handles else { return groups.insert(group) }
      if group.handles.upperBound < known.handles.upperBound, known.handles.upperBound < .max {
        forget(group.handles.upperBound + 1...known.handles.upperBound)
      }
      groups.remove(known.handle)
    }
    for old in overlapping(group.handles) {
      if isTold(old.handles.lowerBound), let both = nested(old, group) {
        group = both.new
        groups.insert(both.old)
      } else if old.handles.upperBound == .max, old.handles.lowerBound < handles.lowerBound {
        groups.insert(old.ending(before: handles.lowerBound))
      } else {
        groups.remove(old.handle)
        // What was found before its service was is the service's: only what another service held goes.
        if old.uuid != nil, uuid != nil { forget(old.handles) }
      }
    }
    groups.insert(group)
  }

  /// A service with all that is in it, as `services` hands it out. Those that are there already stay beside it, even where
  /// one lies in the range of the other; and so does what is known of the service itself and not told now: to replace it with
  /// less, forget that before with `removeServices(in:)`.
  public mutating func insertService(_ service: GATTService) {
    insertService(service.handles, uuid: service.uuid, isPrimary: service.isPrimary) { _ in true }
    for include in service.includes { insertInclude(include) }
    for characteristic in service.characteristics { insertCharacteristic(characteristic) }
  }

  /// Where a service ends is not known any more, unless another begins behind it: what is told of it next tells.
  package mutating func forgetEnd(ofService start: UInt16) {
    guard start < .max, let group = groups[start], groups.first(from: start + 1) == nil else { return }
    let handles = start...UInt16.max
    groups.insert(Group(handles: handles, uuid: group.uuid, isPrimary: group.isPrimary, isInner: group.isInner))
  }

  /// The services that have handles among these. Only inner ones lie in the range of another.
  private func overlapping(_ handles: ClosedRange<UInt16>) -> [Group] {
    let first = handles.lowerBound
    guard first > 0 else { return groups.elements(in: handles) }
    var before: [Group] = []
    _ = groups.last(upTo: first - 1, among: Self.mostInner + 1) { group in
      if group.handles.contains(first) { before.append(group) }
      return false
    }
    return before.reversed() + groups.elements(in: handles)
  }

  /// Two services of which one lies in the range of the other; nil if neither does. There are few, and none lies in one
  /// that lies in another.
  private func nested(_ old: Group, _ new: Group) -> (old: Group, new: Group)? {
    guard !old.isInner, !new.isInner, old.surrounds(new) || new.surrounds(old),
      groups.elements(where: \.isInner).count < Self.mostInner
    else { return nil }
    var both = (old: old, new: new)
    if old.surrounds(new) { both.new.isInner = true } else { both.old.isInner = true }
    return both
  }

  private static let mostInner = 8

  /// Forgets primary services that begin between two handles, with all that is in them.
  /// - Parameters:
  ///   - handles: Where they begin.
  ///   - uuid: The type of those services; nil for any.
  ///   - isGone: Whether one that begins at a handle is to be forgotten.
  package mutating func removePrimaryServices(
    in handles: ClosedRange<UInt16>, of uuid: BluetoothUUID? = nil, where isGone: (UInt16) -> Bool
  ) {
    for group in groups.elements(in: handles)
    where group.isPrimary != false && (uuid == nil || group.uuid == uuid) && isGone(group.handle) {
      groups.remove(group.handle)
      forget(group.handles)
    }
  }

  /// Forgets the services that begin between two handles, primary or not, with all that is in them.
  public mutating func removeServices(in handles: ClosedRange<UInt16>) {
    for group in groups.elements(in: handles) {
      groups.remove(group.handle)
      forget(group.handles)
    }
  }

  /// Forgets characteristics by the handles of their values, with their declarations and descriptors.
  public mutating func removeCharacteristics(_ valueHandles: Set<UInt16>) {
    let gone = valueHandles.compactMap { values[$0] }
    for value in gone {
      for descriptor in descriptors(of: value) { others.remove(descriptor.handle) }
    }
    for value in gone {
      // Find Information may have told it by itself. A value follows its declaration. Core 6.0, Vol 3, Part G, 3.3.
      let declaration = value.declaration ?? value.handle &- 1
      if declarations[declaration]?.uuid == .characteristic { declarations.remove(declaration) }
      remove(value.handle)
    }
  }

  /// Forgets all attributes between two handles, but not the services that are there.
  public mutating func removeAttributes(in handles: ClosedRange<UInt16>) { forget(handles) }

  /// A characteristic is declared, or its value was found, and so were its descriptors, beside those that are known.
  public mutating func insertCharacteristic(_ characteristic: GATTCharacteristic) {
    insertCharacteristic(
      declaration: characteristic.declaration, valueHandle: characteristic.valueHandle,
      properties: characteristic.properties, uuid: characteristic.uuid)
    for descriptor in characteristic.descriptors { insertAttribute(descriptor.handle, uuid: descriptor.uuid) }
  }

  /// A characteristic is declared, or its value was found. What is not told now stays as it was told before, unless
  /// its type is another.
  /// - Parameters:
  ///   - declaration: The handle of its declaration; nil where that is not known.
  ///   - valueHandle: The handle of its value.
  ///   - properties: What can be done with it; nil where its declaration was not read.
  ///   - uuid: Its type; nil where it is not known.
  public mutating func insertCharacteristic(
    declaration: UInt16?, valueHandle: UInt16, properties: CharacteristicProperties?, uuid: BluetoothUUID?
  ) {
    let old = values[valueHandle]
    let keepsOld = old != nil && (uuid == nil || old?.uuid == nil || old?.uuid == uuid)
    insert(
      Value(
        handle: valueHandle, declaration: declaration ?? (keepsOld ? old?.declaration : nil),
        properties: properties ?? (keepsOld ? old?.properties : nil), uuid: uuid ?? old?.uuid))
    removeOthers(in: valueHandle...valueHandle)
  }

  /// Puts a characteristic in. A declaration declares one.
  private mutating func insert(_ value: Value) {
    remove(value.handle)
    if let declaration = value.declaration {
      if let other = declared[declaration] { remove(other.valueHandle) }
      declared.insert(Declaration(handle: declaration, valueHandle: value.handle))
    }
    values.insert(value)
  }

  private mutating func remove(_ valueHandle: UInt16) {
    guard let value = values[valueHandle] else { return }
    if let declaration = value.declaration, declared[declaration]?.valueHandle == valueHandle {
      declared.remove(declaration)
    }
    values.remove(valueHandle)
  }

  /// An attribute has this type, as Find Information tells. Right behind what was told to be a characteristic's declaration
  /// it is that characteristic's value, unless its type is a descriptor's or a declaration's. Core 6.0, Vol 3, Part G, 3.3.
  ///
  /// What was known otherwise before is past: a value that has turned out to be a descriptor or a declaration, and a
  /// declaration of a characteristic that has turned out to be none, of which the value stays.
  /// - Parameters:
  ///   - handle: The attribute's handle.
  ///   - uuid: Its type: a declaration's, a descriptor's or, for a value, the characteristic's.
  public mutating func insertAttribute(_ handle: UInt16, uuid: BluetoothUUID) {
    let known = values[handle]
    if let known, known.uuid == uuid { return }
    if uuid != .characteristic, let value = declared[handle].flatMap({ values[$0.valueHandle] }) {
      insert(Value(handle: value.handle, declaration: nil, properties: value.properties, uuid: value.uuid))
    }
    let declaration = uuid.isDescriptor ? nil : toldDeclaration(of: handle)
    if declaration != nil || known != nil && !uuid.isDescriptor {
      return insertCharacteristic(declaration: declaration, valueHandle: handle, properties: nil, uuid: uuid)
    }
    remove(handle)
    removeOthers(in: handle...handle)
    let attribute = GATTDescriptor(handle: handle, uuid: uuid)
    guard attribute.isDeclaration else { return others.insert(attribute) }
    declarations.insert(attribute)
    guard uuid == .characteristic, handle < .max, let next = others[handle + 1], !next.uuid.isDescriptor else { return }
    insertAttribute(next.handle, uuid: next.uuid)
  }

  /// The declaration right before an attribute, if it was told by itself and nothing says that it declares another value, or
  /// that the attribute is none.
  private func toldDeclaration(of handle: UInt16) -> UInt16? {
    guard handle > 0, declarations[handle - 1]?.uuid == .characteristic, groups[handle] == nil, includes[handle] == nil
    else { return nil }
    let declared = declared[handle - 1]?.valueHandle ?? handle
    return declared == handle ? handle - 1 : nil
  }

  /// A service includes another: the one that has the handle of the include.
  public mutating func insertInclude(_ include: GATTInclude) { includes.insert(include) }

  /// Whether another database may be the same server's at the same time: where both have a service, it is the same.
  public func agrees(with other: GATTDatabase) -> Bool {
    other.groups.elements.allSatisfy { there in
      overlapping(there.handles).allSatisfy { $0.isSameService(as: there) }
    }
  }

  /// Takes over what another database of the same server knows, as far as it does not contradict what is known.
  public mutating func fillIn(from other: GATTDatabase) {
    let own = self
    func isAgreed(_ handle: UInt16) -> Bool {
      guard let here = own.group(at: handle), let there = other.group(at: handle) else { return true }
      return here.isSameService(as: there)
    }
    for group in other.groups.elements where own.hasRoom(for: group) { groups.insert(group) }
    for value in other.values.elements {
      if let known = own.values[value.handle] {
        let completed = known.completed(by: value)
        // Nor does its declaration declare another.
        let declared = completed.declaration.flatMap { own.declared[$0]?.valueHandle }
        if declared == nil || declared == known.handle { insert(completed) }
      } else if isAgreed(value.handle), own.hasRoom(for: value) {
        insertCharacteristic(
          declaration: value.declaration, valueHandle: value.handle, properties: value.properties,
          uuid: value.uuid ?? own.others[value.handle]?.uuid)
      }
    }
    for attribute in other.declarations.elements + other.others.elements
    where isAgreed(attribute.handle) && own.hasRoom(for: attribute) {
      insertAttribute(attribute.handle, uuid: attribute.uuid)
    }
    for include in other.includes.elements where isAgreed(include.handle) && own.includes[include.handle] == nil {
      includes.insert(include)
    }
  }

  /// The service that has a handle: where one lies in the range of another, the inner one.
  func group(at handle: UInt16) -> Group? {
    groups.last(upTo: handle, among: Self.mostInner + 1) { $0.handles.contains(handle) }
  }

  /// Whether no service overlaps another.
  private func hasRoom(for other: Group) -> Bool { overlapping(other.handles).isEmpty }

  /// Whether nothing that is known contradicts a characteristic: its value is known as an attribute of its type at most, its
  /// declaration as no other's.
  private func hasRoom(for value: Value) -> Bool {
    if let declaration = value.declaration, declared[declaration] != nil { return false }
    guard let type = type(of: value.handle) else { return true }
    return value.uuid.map { $0 == type } ?? !type.isDescriptor
  }

  /// Whether nothing is known of an attribute; if it declares a characteristic, nothing but which.
  private func hasRoom(for attribute: GATTDescriptor) -> Bool {
    guard values[attribute.handle] == nil, type(of: attribute.handle) == nil else { return false }
    return attribute.uuid == .characteristic || declared[attribute.handle] == nil
  }

  private mutating func forget(_ handles: ClosedRange<UInt16>) {
    for value in values.elements(in: handles) { remove(value.handle) }
    removeOthers(in: handles)
    includes.remove(in: handles)
  }

  /// Forgets what is no characteristic's value.
  private mutating func removeOthers(in handles: ClosedRange<UInt16>) {
    declarations.remove(in: handles)
    others.remove(in: handles)
  }
}

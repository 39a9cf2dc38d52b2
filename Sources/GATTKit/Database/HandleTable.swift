/// Something that stands at a handle.
@usableFromInline protocol Handled {
  /// Where it stands.
  var handle: UInt16 { get }
}

/// Things by their handles, in order; one at each handle.
///
/// Sorted, in pieces of which none is long: finding takes a few steps, and putting in or taking out moves no more than
/// one piece, in whatever order a server tells what it has.
@usableFromInline struct HandleTable<Element: Handled & Hashable & Sendable>: Sendable {
  /// None is empty, but where there is nothing at all there is none.
  @usableFromInline private(set) var pieces: ContiguousArray<ContiguousArray<Element>> = []

  /// As many as a piece may have.
  private static var most: Int { 128 }

  var isEmpty: Bool { pieces.isEmpty }
  /// How many there are: asked for with each attribute that is learned.
  private(set) var count = 0

  /// A place: a piece, and where in it.
  private struct Place {
    var piece: Int
    var index: Int
  }

  /// Where the first element stands that is at a handle or behind it; behind the last one if there is none.
  private func place(_ handle: UInt16) -> Place {
    let piece = pieces.lowerBound { ($0.last?.handle ?? .max) < handle }
    guard piece < pieces.count else { return Place(piece: piece, index: 0) }
    return Place(piece: piece, index: pieces[piece].lowerBound { $0.handle < handle })
  }

  private func element(_ place: Place) -> Element? {
    place.piece < pieces.count && place.index < pieces[place.piece].count ? pieces[place.piece][place.index] : nil
  }

  /// What stands at a handle: asked for whenever a value is read or written.
  @inlinable subscript(handle: UInt16) -> Element? {
    let piece = pieces.lowerBound { ($0.last?.handle ?? .max) < handle }
    guard piece < pieces.count else { return nil }
    let index = pieces[piece].lowerBound { $0.handle < handle }
    guard index < pieces[piece].count, pieces[piece][index].handle == handle else { return nil }
    return pieces[piece][index]
  }

  /// The first at a handle or behind it.
  func first(from handle: UInt16) -> Element? { element(place(handle)) }

  /// The last one at a handle or before it, of so many there at the most, that is so.
  func last(upTo handle: UInt16, among most: Int, where isSo: (Element) -> Bool) -> Element? {
    var place = place(handle)
    if let exact = element(place), exact.handle == handle { place.index += 1 }
    for _ in 0..<most {
      if place.index == 0 {
        guard place.piece > 0 else { return nil }
        place = Place(piece: place.piece - 1, index: pieces[place.piece - 1].count)
      }
      place.index -= 1
      let element = pieces[place.piece][place.index]
      if isSo(element) { return element }
    }
    return nil
  }

  /// Those within some handles, in order.
  func elements(in handles: ClosedRange<UInt16>) -> [Element] {
    var found: [Element] = []
    var place = place(handles.lowerBound)
    while place.piece < pieces.count {
      for element in pieces[place.piece][place.index...] {
        guard element.handle <= handles.upperBound else { return found }
        found.append(element)
      }
      place = Place(piece: place.piece + 1, index: 0)
    }
    return found
  }

  /// All, in order.
  var elements: [Element] { pieces.flatMap { $0 } }

  /// All that are so, in order.
  func elements(where isSo: (Element) -> Bool) -> [Element] { pieces.flatMap { $0.filter(isSo) } }

  /// The first that is so.
  func first(where isSo: (Element) -> Bool) -> Element? {
    for piece in pieces { if let element = piece.first(where: isSo) { return element } }
    return nil
  }

  /// Whether any is so.
  func contains(where isSo: (Element) -> Bool) -> Bool { pieces.contains { $0.contains(where: isSo) } }

  /// Puts something in, instead of what stands at its handle.
  mutating func insert(_ element: Element) {
    var place = place(element.handle)
    if self.element(place)?.handle == element.handle {
      pieces[place.piece][place.index] = element
      return
    }
    if place.piece == pieces.count {
      if pieces.isEmpty { pieces.append([]) }
      place = Place(piece: pieces.count - 1, index: pieces[pieces.count - 1].count)
    }
    pieces[place.piece].insert(element, at: place.index)
    count += 1
    if pieces[place.piece].count > Self.most { split(place.piece) }
  }

  /// What comes in order fills the pieces; what does not, halves them.
  private mutating func split(_ piece: Int) {
    let middle = piece == pieces.count - 1 ? pieces[piece].count - 1 : pieces[piece].count / 2
    let behind = ContiguousArray(pieces[piece][middle...])
    pieces[piece].removeSubrange(middle...)
    pieces.insert(behind, at: piece + 1)
  }

  /// Takes out what stands at a handle.
  mutating func remove(_ handle: UInt16) { remove(in: handle...handle) }

  /// Takes out what stands within some handles.
  mutating func remove(in handles: ClosedRange<UInt16>) {
    var place = place(handles.lowerBound)
    while place.piece < pieces.count {
      let end = pieces[place.piece].lowerBound { $0.handle <= handles.upperBound }
      let isThrough = end < pieces[place.piece].count
      count -= end - place.index
      pieces[place.piece].removeSubrange(place.index..<end)
      if !pieces[place.piece].isEmpty {
        place = Place(piece: place.piece + 1, index: 0)
      } else {
        pieces.remove(at: place.piece)
        place.index = 0
      }
      if isThrough { return }
    }
  }
}

extension HandleTable: Hashable {
  /// Whether two hold the same, in whatever pieces.
  @usableFromInline static func == (left: HandleTable, right: HandleTable) -> Bool {
    left.pieces == right.pieces || left.elements == right.elements
  }

  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension ContiguousArray {
  /// The index of the first element for which `isBefore` no longer holds.
  @inlinable func lowerBound(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) &>> 1
      if isBefore(self[middle]) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}

/// Which adapters go on with one that was heard before, under another number.
struct ContinuedAdapters: Sendable {
  private let earlier: [UInt16: UInt16]

  /// - Parameter earlier: The one before, for each that goes on with one.
  init(_ earlier: [UInt16: UInt16] = [:]) { self.earlier = earlier }

  /// Whether there are none.
  var isEmpty: Bool { earlier.isEmpty }

  /// The adapter of which a capture tells under a number, or under another one before.
  @inline(__always)
  func first(_ number: UInt16) -> UInt16 { isEmpty ? number : beginning(of: number) }

  @inline(never)
  private func beginning(of number: UInt16) -> UInt16 {
    var adapter = number
    while let before = earlier[adapter] { adapter = before }
    return adapter
  }
}

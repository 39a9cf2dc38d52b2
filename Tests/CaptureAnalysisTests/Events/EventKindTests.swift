import Testing

@testable import CaptureAnalysis

@Suite struct `Event kinds` {
  /// Tables are kept in this order.
  @Test func `have places in the order of their declaration`() {
    #expect(EventKind.allCases.map(\.place) == Array(EventKind.allCases.indices))
  }
}

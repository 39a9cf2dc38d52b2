import GATTKit
import Testing

@testable import CaptureAnalysis

/// What is remembered of the attributes that notify.
@Suite struct `Types of what was notified` {
  private static let (first, second, third) = (0x10, 0x18, 0x20) as (UInt16, UInt16, UInt16)

  /// The attributes of one server stand where they stand: two whose handles end in the same bits are as likely as any.
  @Test func `are remembered of two whose handles end alike`() {
    var (types, shelf) = (NotifiedTypes(), DatabaseShelf())
    let place = shelf.placeApart()
    types.keep(.init(type: .heartRateMeasurement), of: Self.first, in: place, edition: 1)
    types.keep(.init(type: .batteryLevel), of: Self.second, in: place, edition: 1)
    #expect(types.attribute(Self.first, in: place, edition: 1)?.type == .heartRateMeasurement)
    #expect(types.attribute(Self.second, in: place, edition: 1)?.type == .batteryLevel)
    // A third one finds no room but that of the first.
    #expect(types.attribute(Self.third, in: place, edition: 1) == nil)
    types.keep(.init(type: .deviceName), of: Self.third, in: place, edition: 1)
    #expect(types.attribute(Self.first, in: place, edition: 1) == nil)
    #expect(types.attribute(Self.second, in: place, edition: 1)?.type == .batteryLevel)
    #expect(types.attribute(Self.third, in: place, edition: 1)?.type == .deviceName)
  }

  @Test func `hold until the tables change`() {
    var (types, shelf) = (NotifiedTypes(), DatabaseShelf())
    let (place, other) = (shelf.placeApart(), shelf.placeApart())
    for handle in [Self.first, Self.second] {
      types.keep(.init(type: .batteryLevel), of: handle, in: place, edition: 1)
      #expect(types.attribute(handle, in: place, edition: 2) == nil)
      #expect(types.attribute(handle, in: other, edition: 1) == nil)
    }
    types.keep(.init(type: .heartRateMeasurement), of: Self.second, in: place, edition: 2)
    #expect(types.attribute(Self.second, in: place, edition: 2)?.type == .heartRateMeasurement)
    types.forget()
    #expect(types.attribute(Self.second, in: place, edition: 2) == nil)
  }

  @Test func `are dismissed wherever they are kept`() {
    var (types, shelf) = (NotifiedTypes(), DatabaseShelf())
    let place = shelf.placeApart()
    for handle in [Self.first, Self.second] {
      types.keep(.init(type: nil, isCandidate: true), of: handle, in: place, edition: 1)
    }
    types.dismiss(Self.second)
    #expect(types.attribute(Self.first, in: place, edition: 1)?.isCandidate == true)
    #expect(types.attribute(Self.second, in: place, edition: 1)?.isCandidate == false)
  }
}

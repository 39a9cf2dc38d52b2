import BluetoothHost
import CaptureFiles
import Octets

/// Advertising data that take several reports, put together.
///
/// Core 6.0, Vol 4, Part E, 7.7.65.13: the data status of a report tells whether more come.
struct AdvertisingChains {
  private var chains: [Chain] = []

  private struct Chain {
    /// The adapter that hears it.
    let adapter: UInt16
    let address: DeviceAddress
    let advertisingSet: UInt8
    let begun: Timestamp
    var octets = ContiguousArray<UInt8>()
    /// Whether more came than there can be: of none of it, nor of what still comes, anybody knows what it is.
    var isTooLong = false

    func goesOn(in other: Chain) -> Bool {
      adapter == other.adapter && address == other.address && advertisingSet == other.advertisingSet
    }
  }

  /// More do not come at once, and those that never end are forgotten.
  private static let most = 16
  /// In octets: no advertiser has more.
  private static let longest = 1650
  /// In seconds.
  private static let lasting = 1.0

  /// Whether nothing waits to be continued.
  var isEmpty: Bool { chains.isEmpty }

  /// Takes a report.
  /// - Returns: The data from their beginning; nil if more of them come, or too much has.
  mutating func add(
    _ report: borrowing AdvertisingReport, _ adapter: UInt16, at time: Timestamp
  ) -> ContiguousArray<UInt8>? {
    chains.removeAll { !(0..<Self.lasting).contains(time.seconds(since: $0.begun)) }
    let new = Chain(adapter: adapter, address: report.address, advertisingSet: report.advertisingSet, begun: time)
    let place = chains.firstIndex { $0.goesOn(in: new) }
    var chain = place.map { chains.remove(at: $0) } ?? new
    chain.octets.append(contentsOf: ContiguousArray(report.data.octets))
    if chain.octets.count > Self.longest { (chain.octets, chain.isTooLong) = ([], true) }
    guard report.goesOn else { return chain.isTooLong ? nil : chain.octets }
    if chains.count >= Self.most { chains.removeFirst() }
    chains.append(chain)
    return nil
  }
}

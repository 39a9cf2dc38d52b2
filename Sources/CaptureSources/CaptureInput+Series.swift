import CaptureFiles

extension CaptureInput {
  /// Captures that lie together, those of a series in the order of time: where one of them stood, another may. X, X.1 and X.2
  /// are such a series, and who goes by their names goes back in time.
  public static func inOrderOfTime(_ inputs: [CaptureInput]) -> [CaptureInput] {
    var series: [RotationName: [Int]] = [:]
    for (place, input) in inputs.enumerated() {
      guard let newest = input.members.last else { continue }
      series[RotationName(newest.path, member: newest.name).ofSeries, default: []].append(place)
    }
    var (ordered, returns) = (inputs, 0)
    for places in series.values.sorted(by: { $0[0] < $1[0] }) where places.count > 1 {
      let times = places.compactMap { place in inputs[place].begins(0).map { (time: $0, place: place) } }
      guard times.count == places.count else { continue }
      let sorted = times.sorted { ($0.time, $0.place) < ($1.time, $1.place) }.map(\.place)
      guard sorted != places, mayGoBack(places.map { inputs[$0] }, &returns) else { continue }
      for (place, other) in zip(places, sorted) { ordered[place] = inputs[other] }
    }
    return ordered
  }

  /// So often an archive is gone back in: it is not to be gone through without end.
  private static let mostReturns = 32
  /// The same where members are unpacked to be passed over.
  private static let mostSlowReturns = 8

  /// Whether captures may be read in another order than they lie in.
  private static func mayGoBack(_ captures: [CaptureInput], _ returns: inout Int) -> Bool {
    guard let first = captures.first, first.staysOpen else { return true }
    let most = captures.allSatisfy { $0.sharesArchive(with: first) } ? mostReturns : mostSlowReturns
    returns += captures.count
    return returns <= most
  }
}

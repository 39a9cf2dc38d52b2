import BluetoothHost

/// The connection parameters that an end asks for, once or again and again.
struct WantedParameters {
  /// Each once.
  private var all: [ConnectionParameterRequest] = []

  /// More would make no sentence.
  private static let most = 3

  /// Takes a request.
  /// - Parameter request: What it asks for; nil where the capture does not show that.
  mutating func add(_ request: ConnectionParameterRequest?) {
    if let request, all.count < Self.most, !all.contains(request) { all.append(request) }
  }

  /// Whether the capture shows none.
  var isEmpty: Bool { all.isEmpty }

  /// What they are, each in words.
  var each: [String] { all.map(\.phrase) }

  /// The same as one list.
  var list: String { each.joined(separator: "; and ") }
}

import ArgumentParser

extension Duration {
  /// A length of time as people write it: 90, 90s, 5m, 2h.
  init(read text: String) throws {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
    let unit = text.last.flatMap { units[$0] }
    guard let number = Double(unit == nil ? text : String(text.dropLast())), number > 0, number <= 1e9 else {
      throw ValidationError("Give a time such as 90, 90s, 5m or 2h.")
    }
    self = .milliseconds(Int64(number * (unit ?? 1) * 1000))
  }
}

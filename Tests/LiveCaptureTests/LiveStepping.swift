import LiveCapture
import Testing
import TestSupport

extension LiveInput {
  /// The next thing that happens, other than nothing.
  mutating func step(within limit: Duration = .seconds(120)) throws -> LiveStep {
    let deadline = ContinuousClock.now + limit
    while true {
      let now = ContinuousClock.now
      try #require(now < deadline, "nothing happens")
      guard Readiness.wait(for: readiness, or: [], atMost: deadline - now).source else { continue }
      let step = try fill()
      if case .nothing = step { continue }
      return step
    }
  }

  /// Reads until so many octets have come, and takes them.
  mutating func take(_ count: Int) throws -> [UInt8] {
    while octets.count < count {
      guard case .octets = try step() else { throw Unexpected() }
    }
    defer { consume(count) }
    return (0..<count).map { octets[$0] }
  }

  /// What is said next instead of octets.
  mutating func sentence() throws -> (isAnew: Bool, isGap: Bool, text: String) {
    switch try step() {
    case .said(let text): (false, false, text)
    case .anew(let isGap, let text): (true, isGap, text)
    default: throw Unexpected()
    }
  }

  /// Whether it is over.
  mutating func isAtEnd() throws -> Bool {
    if case .end = try step() { true } else { false }
  }
}

/// Something else happened than was to.
struct Unexpected: Error {}

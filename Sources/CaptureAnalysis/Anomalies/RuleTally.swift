/// Something that may come again and is told once: where it came first and last, and how often.
struct RuleTally {
  private var span: RecordSpan?
  /// What was seen the first time.
  private var message = ""

  var last: Moment? { span?.last }
  var count: Int { span?.count ?? 0 }

  /// It is seen, once or several times, at one moment or until another.
  mutating func note(
    _ moment: Moment, to end: Moment? = nil, count: Int = 1, _ message: @autoclosure () -> String
  ) {
    if span == nil { (span, self.message) = (RecordSpan(moment, count: 0), message()) }
    span.extend(to: end ?? moment, count: count)
  }

  /// Goes on with what was kept back.
  mutating func add(_ kept: RuleTally) {
    guard let other = kept.span else { return }
    if span == nil { (span, message) = (RecordSpan(other.first, count: 0), kept.message) }
    span.extend(to: other.last, count: other.count)
  }

  /// Says it, if it was ever seen.
  /// - Parameters:
  ///   - doubt: What makes it only worth knowing; nil if nothing does.
  ///   - often: How often it was seen, in words behind what it is.
  func report(
    _ rule: any AnomalyRule.Type, _ scene: inout RuleScene, severity: Severity? = nil, doubt: String? = nil,
    often: (Int) -> String = inAll
  ) {
    guard let span else { return }
    let words = message + often(span.count) + (doubt.map { "; \($0)" } ?? "")
    scene.report(rule, words, severity: doubt == nil ? severity : .info, over: span)
  }
}

/// Faults of different kinds, each of which is told once.
struct RuleTallies<Kind: Hashable> {
  private var tallies: [(kind: Kind, tally: RuleTally)] = []

  /// More different ones on one connection are made up.
  private static var most: Int { 16 }

  /// One is seen, once or several times, at one moment or until another.
  mutating func note(
    _ kind: Kind, _ moment: Moment, to end: Moment? = nil, count: Int = 1, _ message: @autoclosure () -> String
  ) {
    if let place = tallies.firstIndex(where: { $0.kind == kind }) {
      tallies[place].tally.note(moment, to: end, count: count, message())
    } else if tallies.count < Self.most {
      tallies.append((kind, RuleTally()))
      tallies[tallies.count - 1].tally.note(moment, to: end, count: count, message())
    }
  }

  var isEmpty: Bool { tallies.isEmpty }
  /// Where one of them was seen last.
  var last: Moment? { tallies.compactMap(\.tally.last).max() }

  /// Goes on with what was kept back.
  mutating func add(_ kept: RuleTallies) {
    for (kind, tally) in kept.tallies {
      if let place = tallies.firstIndex(where: { $0.kind == kind }) {
        tallies[place].tally.add(tally)
      } else if tallies.count < Self.most {
        tallies.append((kind, tally))
      }
    }
  }

  /// Forgets what has come to nothing.
  mutating func removeAll(where isVoid: (Kind) -> Bool) { tallies.removeAll { isVoid($0.kind) } }

  /// Says each.
  /// - Parameters:
  ///   - good: What came last and makes good what was before it, which is only worth knowing then.
  ///   - doubt: What makes them only worth knowing; nil if nothing does.
  ///   - isMinor: Whether faults of a kind are only worth knowing anyway.
  ///   - often: How often each was seen, in words behind what it is.
  func report(
    _ rule: any AnomalyRule.Type, _ scene: inout RuleScene, madeGood good: Moment? = nil, doubt: String? = nil,
    isMinor: (Kind) -> Bool = { _ in false }, often: (Int) -> String = inAll
  ) {
    for (kind, tally) in tallies {
      guard let last = tally.last else { continue }
      let isMadeGood = good.map { $0 > last } ?? false
      tally.report(rule, &scene, severity: isMadeGood || isMinor(kind) ? .info : nil, doubt: doubt, often: often)
    }
  }
}

extension RuleTallies<String> {
  /// One is seen, at one moment or until another: what is said in the same words is of one kind.
  mutating func note(_ moment: Moment, to end: Moment? = nil, _ message: String) {
    note(message, moment, to: end, message)
  }
}

/// Attributes that may be heart rate measurements, beside one another: a server has one in its heart rate service, and hardly
/// ever a second such service. HRS 1.0, 3.
struct Rivals {
  /// What an attribute is by itself, and what that rests on.
  struct Weighed {
    var inference: Inference
    var scale: EvidenceScale
  }

  private let found: [Weighed]
  /// Those that something may be rivalled by.
  private let all: [Inference]

  /// From here on, as the logarithm of its odds, something may well be one; and by so much what speaks for another has to
  /// outweigh it.
  private static let possible = 1.0
  private static let margin = 7.0
  /// Fewer values contest nothing that has many: a control point's answer may look like a rate.
  private static let enoughValues = 5

  /// - Parameters:
  ///   - known: Attributes that are taken for measurements already.
  ///   - past: What was made of some before a table changed.
  init(_ found: [Weighed], _ known: [Inference], _ past: [Inference]) {
    self.found = found
    all = (found.map(\.inference) + known).filter { one in !past.contains { $0.isOfAttribute(of: one) } }
  }

  /// What each is, with the others in view.
  var inferences: [Inference] { found.map(judged) }

  private func judged(_ one: Weighed) -> Inference {
    let own = one.inference
    let others = all.lazy.filter { other in
      other.server == own.server && other.handle != own.handle
        && (other.values >= Self.enoughValues || other.values * 4 >= own.values)
    }
    guard let best = others.max(by: { Self.isBetter($1, than: $0) }) else { return own }
    var scale = one.scale
    if own.intervalProof > .none, best.intervalProof <= .none { return own }
    let isWorse = Self.isBetter(best, than: own)
    if best.intervalProof > max(own.intervalProof, .none) {
      scale.doubt(-4, "another attribute of the same device is it: its RR-Intervals fit")
    } else if own.intervalProof <= .none, best.logOdds >= Self.possible, !isApart(own, best) {
      scale.doubt(0, "another attribute of the same device may be it as well")
    } else if isWorse, own.intervalProof <= .none {
      scale.doubt(-4, "another attribute of the same device is the better candidate")
    } else if isWorse {
      scale.add(-4, "another attribute of the same device is the better candidate")
    } else {
      return own
    }
    var inference = own
    (inference.confidence, inference.evidence, inference.logOdds) = (scale.confidence, scale.reasons, scale.logOdds)
    return inference
  }

  /// Whether what speaks for one of two outweighs what speaks for the other: by far, or as it alone has a sensor's location.
  private func isApart(_ one: Inference, _ other: Inference) -> Bool {
    let (better, worse) = Self.isBetter(one, than: other) ? (one, other) : (other, one)
    return better.logOdds - worse.logOdds >= Self.margin
      || better.locationHandle != nil && worse.locationHandle == nil
  }

  /// Of two that have as much for them, the one with the lower handle.
  private static func isBetter(_ one: Inference, than other: Inference) -> Bool {
    (one.intervalProof, one.logOdds, other.handle) > (other.intervalProof, other.logOdds, one.handle)
  }
}

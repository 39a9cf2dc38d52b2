import GATTKit

/// What is known around an attribute, beside its values.
struct MeasurementSurroundings {
  /// What was switched on through an attribute just behind it; nil: nothing.
  var configuration: ClientCharacteristicConfiguration?
  /// Whether something was read near behind it that looks like a body sensor location.
  var hasLocation = false
  /// Whether both stand just where the heart rate service has them, most often: the configuration behind the value, and
  /// behind it a declaration and the location.
  var hasUsualLayout = false
  /// Where it stands to the server's heart rate service.
  var place = PlaceInServices.unknown
  /// Whether the peer advertised the heart rate service.
  var advertisesHeartRate = false
  /// The peer's name, if it is one that heart rate sensors have.
  var sensorName: String?
  /// Whether no other attribute of unknown type has notified anything.
  var isAlone = false
}

/// Where an attribute stands to the heart rate service of its server.
enum PlaceInServices {
  /// It lies in none that is known, nor is that of the heart rate known.
  case unknown
  /// It lies in the heart rate service, and so does no other attribute that has notified.
  case aloneInHeartRate
  /// Others in it have notified, too: one at least is none of those that the service may have.
  case inHeartRate
  /// The heart rate service was told on this connection, and it lies outside.
  case outsideHeartRate
}

// Each observation shifts the odds by a factor, whose natural logarithm is written here. They are judgements, checked
// against recorded traffic: Documentation/Inference.md says how well they do.

extension MeasurementEvidence {
  /// The weighing of all that is known, other attributes aside.
  /// - Returns: nil if these are certainly no measurements.
  func weigh(_ surroundings: MeasurementSurroundings) -> EvidenceScale? {
    guard values > 0, !isRefuted else { return nil }
    var scale = EvidenceScale()
    weighLayout(&scale)
    weighRates(&scale)
    let pace = pace.whole
    weighIntervals(pace, &scale)
    weighCadence(pace, &scale)
    weighSurroundings(surroundings, &scale)
    return scale
  }

  private func weighLayout(_ scale: inout EvidenceScale) {
    let fitting = violations == 0 ? "all" : "\(values - violations) of"
    let who = values == 1 && violations == 0 ? "the only value has" : "\(fitting) \(values) values have"
    scale.add(-25 * Double(violations) / Double(values), "\(who) the layout of a Heart Rate Measurement")
    // Without contact a sensor seldom goes on with rates: then it is any octet with one bit set.
    if commonFlags.contains(.contactSupport), anyFlags.contains(.contactStatus) || rates == 0 {
      scale.add(1.5, "every value says that contact can be told")
    }
    if anyFlags.isEmpty { scale.add(-1.5, "no flag is ever set: any two octets may look so") }
    if shortest < longest { scale.add(1.5, "lengths from \(shortest) to \(longest) octets agree with the flags") }
  }

  private func weighRates(_ scale: inout EvidenceScale) {
    guard rates > 0 else {
      let isCutAway = knownRates == 0 && violations < values
      // What is not there speaks neither for nor against it.
      return isCutAway
        ? scale.add(0, "the capture keeps no rate of any value")
        : scale.add(isOffBody ? -5 : -10, "no value holds a rate above 0")
    }
    guard plausibleRates * 20 >= rates * 19 else {
      return scale.add(-6, "\(rates - plausibleRates) of \(rates) rates are none that a heart has")
    }
    scale.add(
      rates >= 5 ? 1 : 0,
      plausibleRates == rates
        ? "every rate is one that a heart has" : "\(plausibleRates) of \(rates) rates are ones that a heart has")
    guard steps >= 8 else { return }
    if smoothSteps * 20 >= steps * 19 {
      scale.add(rateVaries ? 1.5 : -0.5, rateVaries ? "the rate changes as a heart's does" : "the rate never changes")
    } else if smoothSteps * 5 < steps * 4 {
      scale.add(-4, "the rate leaps as no heart's does")
    }
  }

  /// Whether every value says what a sensor does that nobody wears: that it has no contact, and nothing else.
  private var isOffBody: Bool { commonFlags == .contactSupport && anyFlags == .contactSupport }

  /// Whether what would be RR-Intervals fits what would be the rates, value for value: nothing else does that by chance.
  var intervalsFit: Bool { checkedIntervals >= 5 && fittingIntervals * 5 >= checkedIntervals * 4 }

  /// What the RR-Intervals show.
  var intervalProof: IntervalProof {
    if checkedIntervals >= 5 {
      return intervalsFit ? .fitted : fittingIntervals * 5 < checkedIntervals ? .contradicted : .none
    }
    let pace = pace.whole
    guard fittingIntervals == checkedIntervals, pace.intervals >= 8, pace.beats >= 8 else { return .none }
    let ratio = Double(pace.intervals) / pace.beats
    return Self.wholeCount.contains(ratio) ? .counted : ratio > Self.likelyCount.upperBound ? .contradicted : .none
  }

  /// How many RR-Intervals there are for each beat where all were sent, and where that can be as the pace is a guess.
  private static let wholeCount = 0.8...1.25
  private static let likelyCount = 0.6...1.6

  private func weighIntervals(_ pace: MeasurementPace, _ scale: inout EvidenceScale) {
    if checkedIntervals > 0 {
      let share = Double(fittingIntervals) / Double(checkedIntervals)
      let what =
        checkedIntervals == 1
        ? "one value has RR-Intervals, which \(fittingIntervals == 1 ? "fit" : "do not fit") its rate"
        : "\(fittingIntervals) of \(checkedIntervals) values have RR-Intervals that fit their rate"
      if share >= 0.8 {
        scale.add(min(7, 2 * Double(checkedIntervals)), what)
      } else {
        scale.add(share >= 0.5 ? 0 : intervalProof == .contradicted ? -10 : -5, what)
      }
    }
    // Where most were cut away, they count.
    guard checkedIntervals < 5, pace.intervals > 0, pace.beats >= 8 else { return }
    let ratio = Double(pace.intervals) / pace.beats
    let beats = Int(pace.beats.rounded())
    let what = "\(pace.intervals) RR-Intervals were sent in the time of \(beats) beats at these rates"
    switch ratio {
    case Self.wholeCount: scale.add(4.5, what)
    case Self.likelyCount: scale.add(1, what)
    // Values may be missing, but none has more than it has beats.
    case _ where checkedIntervals == 0: scale.add(intervalProof == .contradicted ? -8 : -3, what)
    default: break
    }
  }

  private func weighCadence(_ pace: MeasurementPace, _ scale: inout EvidenceScale) {
    guard pace.gaps >= 5 else { return }
    let single = pace.gaps - pace.sharedGaps
    if pace.shortGaps * 2 >= pace.gaps {
      scale.add(-4, "values come much faster than a sensor's")
    } else if single >= 5, pace.secondGaps * 10 >= single * 7 {
      scale.add(1.5, "a value comes about every second")
    } else if (pace.secondGaps + pace.sharedGaps) * 10 >= pace.gaps * 7 {
      // A vendor's stream may come in bundles as well, of any two octets.
      scale.add(anyFlags.isEmpty ? 0 : 1.5, "several values come at once, about as many as one each second")
    } else {
      scale.add(-0.5, "values do not come every second")
    }
  }

  private func weighSurroundings(_ surroundings: MeasurementSurroundings, _ scale: inout EvidenceScale) {
    if let configuration = surroundings.configuration {
      let values = configuration.contains(.notification) ? "notifications" : "indications"
      scale.add(1, "\(values) were switched on just behind it")
    }
    if surroundings.hasLocation { scale.add(2.5, "a value that can be a body sensor location was read behind it") }
    if surroundings.hasUsualLayout, surroundings.advertisesHeartRate || surroundings.sensorName != nil {
      scale.add(2.5, "both stand where heart rate sensors have them")
    }
    switch surroundings.place {
    // HRS 1.0, 3: the other two characteristics of the service are read, and written.
    case .aloneInHeartRate: scale.add(7, "it is in the Heart Rate service, in which nothing else notifies")
    case .inHeartRate: scale.add(2, "it is in the Heart Rate service, in which something else notifies, too")
    case .outsideHeartRate where !intervalsFit: scale.add(-7, "it is outside of the Heart Rate service")
    case .outsideHeartRate, .unknown: break
    }
    // A sensor may notify other things: that it is one says little of an attribute that may be anything.
    let isVague = anyFlags.isEmpty
    if surroundings.advertisesHeartRate {
      scale.add(isVague ? 1 : 4, "the device advertised the Heart Rate service")
    }
    if let name = surroundings.sensorName {
      scale.add(isVague ? 0.5 : 2.5, "its name, \(name), is one that heart rate sensors have")
    }
    if isVague, surroundings.isAlone, surroundings.advertisesHeartRate || surroundings.sensorName != nil {
      scale.add(1.5, "nothing else of this sensor notifies")
    }
  }
}

/// Odds, and what shifted them.
struct EvidenceScale {
  /// The logarithm of the odds. One in twenty attributes that notify is a heart rate.
  private(set) var logOdds = -3.0
  private(set) var reasons: [String] = []

  mutating func add(_ weight: Double, _ reason: String) {
    logOdds += weight
    reasons.append(reason)
  }

  /// Adds what keeps the odds below those from where on an attribute is called a heart rate, whatever speaks for it.
  mutating func doubt(_ weight: Double, _ reason: String) {
    add(weight, reason)
    logOdds = min(logOdds, Self.doubtful)
  }

  /// Odds of two to one.
  private static let doubtful = 0.7

  /// The probability that the odds are, calibrated: the observations are judged one by one, with caution, but they agree
  /// more often than chance would have it. So odds on either side of nine to one, from where on an attribute is called a
  /// heart rate, are surer than their sum says: over the recorded attributes, about its square. Nothing inferred is surer
  /// than one in ten thousand. Documentation/Inference.md holds the figures.
  var confidence: Double {
    let calibrated = 2 * logOdds - Self.logNine
    return 1 / (1 + exponential(-min(calibrated, Self.logTenThousand)))
  }

  /// The natural logarithms of the odds of nine, and ten thousand, to one.
  private static let logNine = 2.197225
  private static let logTenThousand = 9.210340
}

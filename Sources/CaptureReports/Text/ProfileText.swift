import CaptureAnalysis

/// What is not usual for the model of a sensor, in words.
enum ProfileText {
  /// "Unusual for a Polar H10: sends no contact bit (some firmware sends none: …). Usually it tells skin contact."; nil
  /// where nothing is.
  static func sentence(of sensor: SensorTraits, _ profiles: SensorProfiles) -> String? {
    guard let profile = profiles.profile(of: sensor) else { return nil }
    let remarks = profile.unusual(in: sensor)
    guard !remarks.isEmpty else { return nil }
    let name = AirText.shown(profile.name)
    let texts = remarks.map { remark in
      remark.text + (remark.exception.map { " (\(AirText.shown($0, limit: 200)))" } ?? "")
    }
    let usual = remarks.map(\.usual).joined(separator: ", ")
    return "Unusual for a \(name): \(texts.joined(separator: "; ")). Usually it \(usual)."
  }
}

/// All rules over what happens, in the order of their names.
enum AnomalyRules {
  static let all: [any AnomalyRule.Type] = [
    ContactSupportChanged.self,
    MeasurementMalformed.self,
    NotificationGap.self,
  ]
}

/// All rules over what happens, in the order of their names.
enum AnomalyRules {
  static let all: [any AnomalyRule.Type] = [
    AccessRefused.self,
    AttParallelRequests.self,
    AttResponseMismatch.self,
    AttTimeout.self,
    CccdInvalid.self,
    ContactSupportChanged.self,
    ControlPointResponse.self,
    DatabaseChanged.self,
    DatabaseDisordered.self,
    EnergyResetIgnored.self,
    EnergyWithoutControlPoint.self,
    HeartRateServiceAbsent.self,
    IndicationUnconfirmed.self,
    LocationInvalid.self,
    MeasurementMalformed.self,
    MeasurementNotNotified.self,
    MtuExchangedTwice.self,
    NeverSubscribed.self,
    NotificationGap.self,
    NotificationWithoutSubscription.self,
    PduExceedsMtu.self,
    SeveralHeartRateServices.self,
    StaleHandles.self,
    SubscriptionWithoutNotification.self,
  ]
}

/// All rules over what happens, in the order of their names.
enum AnomalyRules {
  static let all: [any AnomalyRule.Type] = [
    AccessRefused.self,
    ATTParallelRequests.self,
    ATTResponseMismatch.self,
    ATTTimeout.self,
    CCCDInvalid.self,
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
    MTUExchangedTwice.self,
    NeverSubscribed.self,
    NotificationGap.self,
    NotificationWithoutSubscription.self,
    PDUExceedsMTU.self,
    SeveralHeartRateServices.self,
    StaleHandles.self,
    SubscriptionWithoutNotification.self,
  ]
}

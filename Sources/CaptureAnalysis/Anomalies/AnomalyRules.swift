/// All rules over what happens, in the order of their names.
enum AnomalyRules {
  static let all: [any AnomalyRule.Type] = [
    AccessRefused.self,
    ATTParallelRequests.self,
    ATTResponseMismatch.self,
    ATTTimeout.self,
    ContactSupportChanged.self,
    DatabaseDisordered.self,
    EnergyWithoutControlPoint.self,
    HeartRateServiceAbsent.self,
    IndicationUnconfirmed.self,
    LocationInvalid.self,
    MeasurementMalformed.self,
    MTUExchangedTwice.self,
    NeverSubscribed.self,
    NotificationGap.self,
    NotificationWithoutSubscription.self,
    PDUExceedsMTU.self,
    SeveralHeartRateServices.self,
    SubscriptionWithoutNotification.self,
  ]
}

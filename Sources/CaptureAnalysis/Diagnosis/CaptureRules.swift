/// All rules about captures, in the order of their names.
enum CaptureRules {
  static let all: [any CaptureRule.Type] = [
    CaptureCutOff.self,
    ClockJump.self,
    LineEndsChanged.self,
    NeighboursUnread.self,
    OctetsSkipped.self,
    PacketsDropped.self,
    PacketsTruncated.self,
    PayloadsReplaced.self,
  ]
}

extension CaptureFacts {
  /// What rules find in the capture as a whole.
  public func findings(_ rules: RuleSettings) -> [Finding] {
    CaptureRules.all.flatMap { rules.asksAll || rules.asks($0.about.name) ? $0.findings(in: self) : [] }
  }

  /// What of them tells that not all of the file could be read: damage in it, and that it was cut off.
  public var damages: [Finding] { CaptureCutOff.findings(in: self) + OctetsSkipped.findings(in: self) }
}

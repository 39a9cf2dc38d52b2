/// The file went through a terminal, which takes octets for text; it is read as it was before.
enum LineEndsChanged: CaptureRule {
  static let about = RuleDescription(
    "line-ends-changed", .info,
    finds: "The file was copied through a terminal, which put a carriage return (0D) before each line feed (0A).",
    matters:
      "Nothing is missing here, since they were taken out again. Other programs see records that are longer than their headers say, and lose them or misread them.",
    advice: "Copy the file with adb pull, adb exec-out or adb bugreport, not with adb shell cat.",
    examples: [])

  static func findings(in facts: CaptureFacts) -> [Finding] {
    facts.members.filter { $0.insertedReturns > 0 }.map { file in
      finding(
        "copied through a terminal, which put \(returns(file.insertedReturns)) before each line feed (0A): read as it "
          + "was before, and nothing is missing",
        from: .nowhere(in: file.member))
    }
  }

  private static func returns(_ count: Int) -> String {
    count == 1 ? "a carriage return (0D)" : "\(count) carriage returns (0D)"
  }
}

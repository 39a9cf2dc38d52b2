import CaptureFiles
import Testing

@testable import CaptureAnalysis

@Suite struct `What rules have found` {
  private func moment(_ second: Int) -> Moment {
    Moment(frame: second, time: Timestamp(microseconds: Int64(second) * 1_000_000))
  }

  /// Some can be judged only later than what came behind them.
  @Test func `is told where it came first, and counted where it came last`() {
    var book = FindingBook(mostOfRule: 2)
    for second in [10, 5, 7, 8] {
      book.add(ContactLost.self, "lost", severity: nil, RecordSpan(moment(second)), connection: 1)
    }
    #expect(book.take().map(\.frame) == [5, 7])
    book.close(connection: 1)
    #expect(book.take().map(\.count) == [2])
  }

  /// What was told while it lasted is told again once it is graver, and then no more.
  @Test func `is told anew when it has become graver`() {
    var lasting = LastingFaults()
    lasting.note(ContactLost.self, since: moment(1), .info)
    #expect(!lasting.isNew(ContactLost.self, since: moment(1), .info))
    #expect(lasting.isNew(ContactLost.self, since: moment(1), .warning))
    lasting.note(ContactLost.self, since: moment(1), .warning)
    #expect(!lasting.isNew(ContactLost.self, since: moment(1), .warning))
    #expect(lasting.severity(of: ContactLost.self, since: moment(1), .warning) == .info)
    #expect(lasting.severity(of: ContactLost.self, since: moment(1), .error) == .error)
  }

  /// From three gaps of about the same length on, they are how often the sensor measures.
  @Test func `a silence is none that is hardly longer than those in a row before it`() {
    let words = GapRow.Words(alone: "", rest: "", meanwhile: "")
    var row = GapRow((moment(0), moment(10), 10), words)
    let isSecond = row.add((moment(10), moment(20), 10), words)
    #expect(isSecond && !row.isWithin((moment(20), moment(30), 10)))
    let isThird = row.add((moment(20), moment(30), 10), words)
    #expect(isThird)
    #expect(row.isWithin((moment(30), moment(42), 12)) && !row.isWithin((moment(30), moment(43), 13)))
    #expect(!row.isWithin((moment(31), moment(41), 10)))
  }
}

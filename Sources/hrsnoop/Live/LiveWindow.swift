import CaptureAnalysis
import CaptureFiles
import CaptureReports
import LiveCapture

/// A view that fills the terminal.
final class LiveWindow: LiveDisplay {
  private var view: LiveView
  private var screen: Screen?
  private var keyReader = KeyReader()
  private let output: Int32
  private let isColored: Bool
  private var remains: LiveRemains
  private var size: (columns: Int, rows: Int)
  /// When the last event came, by a clock that nobody sets.
  private var lastNews = ContinuousClock.now
  private var lastDrawing: ContinuousClock.Instant?
  /// Whether there is something that is not drawn yet.
  private var isDue = false

  /// Nobody reads faster.
  private static let shortestPause = Duration.milliseconds(100)

  /// - Parameters:
  ///   - terminal: Where it is shown.
  ///   - name: What the source is called.
  ///   - awaited: Which connections are shown; nil if all are.
  ///   - isQuiet: Whether nothing is said of the capture itself when the view is gone.
  init(_ terminal: Destination, _ context: ReportContext, name: String, awaiting awaited: String?, isQuiet: Bool) {
    output = terminal.descriptor
    remains = LiveRemains(terminal, context, name: name, isQuiet: isQuiet)
    view = awaited.map { LiveView(context, awaiting: $0) } ?? LiveView(context)
    isColored = context.isColored
    size = Terminal.size(of: output)
    screen = Screen(output: output)
  }

  var selection: EventSelection { view.picture.selection }

  var keys: Int32? { screen?.keys }

  /// Clocks on the screen go on by the second.
  var patience: Duration? { isDue ? Self.shortestPause : .seconds(1) }

  func begin(_ start: CaptureStart) {
    view.picture.begin(start)
    remains.start = start
    lastNews = .now
  }

  func show(_ event: Event, isPast: Bool) {
    view.picture.note(event)
    lastNews = .now
  }

  func show(_ finding: Finding, isPast: Bool) {
    view.picture.note(finding)
    if !isPast { remains.note(finding) }
  }

  func say(_ sentence: String) {
    view.picture.note(sentence)
    remains.note(sentence)
  }

  func complain(_ sentence: String) {
    view.picture.note(sentence)
    remains.complain(sentence)
  }

  func remark(_ sentence: String) { view.picture.note(sentence) }

  func takeKeys() -> [LiveRequest] {
    guard let octets = screen?.takeKeys() else { return [] }
    return keyReader.keys(octets).compactMap { take($0) }
  }

  private func take(_ key: KeyReader.Key) -> LiveRequest? {
    lastDrawing = nil
    switch key {
    case .up, .character(UInt8(ascii: "k")): view.press(.newer, now: now)
    case .down, .character(UInt8(ascii: "j")): view.press(.older, now: now)
    case .right, .character(Control.tab): view.press(.nextConnection, now: now)
    case .left, .backTab: view.press(.previousConnection, now: now)
    case .character(UInt8(ascii: "p")), .character(UInt8(ascii: " ")): view.press(.pause, now: now)
    case .character(UInt8(ascii: "w")): return .record
    case .character(UInt8(ascii: "q")): return .quit
    case .character(Control.c):
      // It is meant for all of a pipe.
      screen?.interrupt()
      return .quit
    case .character(Control.l): screen?.clear(rows: size.rows)
    case .character(Control.z):
      // It, too, is meant for all of a pipe.
      screen?.suspend(wholeJob: true)
      resize()
    case .character: break
    }
    return nil
  }

  /// What keys send together with control.
  private enum Control {
    static let c: UInt8 = 0x03
    static let tab: UInt8 = 0x09
    static let l: UInt8 = 0x0C
    static let z: UInt8 = 0x1A
  }

  func resize() {
    size = Terminal.size(of: output)
    screen?.clear(rows: size.rows)
    lastDrawing = nil
  }

  func suspend() {
    screen?.suspend(wholeJob: false)
    resize()
  }

  func resume() {
    screen?.enter()
    resize()
  }

  func refresh(_ status: LiveStatus, _ facts: CaptureFacts) {
    remains.recording = status.recording
    let now = ContinuousClock.now
    isDue = lastDrawing.map { now < $0 + Self.shortestPause } ?? false
    guard !isDue else { return }
    lastDrawing = now
    view.status = status
    view.picture.note(facts)
    let paper = LiveScreen(
      columns: size.columns, rows: size.rows, isColored: isColored, isUnicode: Terminal.showsUnicode)
    screen?.draw(view.lines(on: paper, now: self.now))
  }

  /// The moment as the capture's clock shows it: its last time stamp, and what has gone by since.
  private var now: Timestamp? {
    view.picture.lastTime?.advanced(by: .now - lastNews)
  }

  func end(_ facts: CaptureFacts?) {
    screen = nil
    // By now the terminal may be another size than it was at the start.
    remains.write(facts, width: Terminal.width(of: output))
  }
}

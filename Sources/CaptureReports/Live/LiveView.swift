public import CaptureAnalysis
public import CaptureFiles

/// The full-screen view of a live capture: from what there is to see and the size of the screen to lines.
///
/// From above: what it is, the heart rate, its course, what happened last, which keys there are. What a screen has no
/// room for is left out, the least important first.
public struct LiveView: Sendable {
  /// What there is to see.
  public var picture = LivePicture()
  /// How the capture stands.
  public var status = LiveStatus()

  /// What is shown instead while the view stands still.
  private var held: (picture: LivePicture, now: Timestamp?)?
  /// The connection that is shown, and whether a person chose it.
  private var shown: (id: Int, isChosen: Bool)?
  /// The number of the finding that is shown whole.
  private var opened: Int?
  private let context: ReportContext
  private let awaited: String

  /// A view of nothing yet.
  /// - Parameter awaited: What is waited for until it is there.
  public init(_ context: ReportContext, awaiting awaited: String = "a connection with a heart rate sensor") {
    (self.context, self.awaited) = (context, awaited)
  }

  /// What a key does.
  public enum Key: Hashable, Sendable {
    /// The view stands still, or goes on.
    case pause
    /// The finding before, in time.
    case older
    /// The finding behind, in time.
    case newer
    /// The next connection.
    case nextConnection
    /// The connection before.
    case previousConnection
  }

  private var visible: LivePicture { held?.picture ?? picture }

  /// Takes a key.
  /// - Parameter now: The moment, as the capture's clock shows it.
  public mutating func press(_ key: Key, now: Timestamp?) {
    switch key {
    case .pause: held = held == nil ? (picture, now) : nil
    case .older, .newer: openFinding(isOlder: key == .older)
    case .nextConnection, .previousConnection:
      let connections = visible.connections
      guard !connections.isEmpty else { return }
      let place = connections.firstIndex { $0.id == shown?.id } ?? 0
      let step = key == .nextConnection ? 1 : connections.count - 1
      shown = (connections[(place + step) % connections.count].id, true)
      opened = nil
    }
  }

  private mutating func openFinding(isOlder: Bool) {
    let numbers = notes.filter { $0.finding != nil }.map(\.number)
    guard let current = opened, let place = numbers.firstIndex(of: current) else {
      opened = isOlder ? numbers.first : nil
      return
    }
    let next = isOlder ? place + 1 : place - 1
    if next < 0 { opened = nil } else if next < numbers.count { opened = numbers[next] }
  }

  /// The connection that is shown; nil if there is none.
  private var connection: LiveConnection? { visible.connections.first { $0.id == shown?.id } }

  private var notes: [LiveNote] { visible.notes(adapter: connection?.beginning.adapter) }

  /// The lines of the screen, at most as many and as wide as it has.
  /// - Parameter now: The moment, as the capture's clock shows it; nil before the first packet.
  public mutating func lines(on screen: LiveScreen, now: Timestamp?) -> [String] {
    let time = held.map(\.now) ?? now
    let now = time.flatMap { time in visible.last.map { Moment(frame: $0.frame, time: time) } }
    choose(now: now)
    let moments = MomentText(clock: context.reading(visible.clock), start: visible.firstTime)
    let drawing = LiveDrawing(
      connection: connection, connections: visible.connections, awaited: awaited, notes: notes,
      elsewhere: visible.findings(elsewhereThan: connection?.beginning.adapter),
      areLast: visible.hasForgottenFindings, opened: opened, now: now,
      steadyTime: visible.steadyTime, moments: moments, columns: screen.columns)
    var lines = drawing.body(rows: screen.rows - (screen.rows > 2 ? 1 : 0))
    if screen.rows > 2 {
      while lines.count < screen.rows - 1 { lines.append(LiveLine()) }
      lines.append(footer(screen))
    }
    return lines.prefix(screen.rows).map { $0.shown(on: screen) }
  }

  /// Which connection is shown: the one that a person chose, until it ends and others go on; else the last with a heart
  /// rate. Where two tell the same, because both ends are on this computer, it stays with one.
  private mutating func choose(now: Moment?) {
    let (connections, steadyTime) = (visible.connections, visible.steadyTime)
    func isBusy(_ connection: LiveConnection) -> Bool {
      guard connection.closed == nil, let last = connection.last, let now else { return false }
      return steadyTime.seconds(from: last.moment, to: now) < Self.longestSilence
    }
    if let current = connection {
      let isKept = shown?.isChosen ?? false
      if isBusy(current) || isKept && (current.closed == nil || !connections.contains(where: isBusy)) { return }
    }
    let best = connections.max { left, right in weight(left) < weight(right) }
    shown = best.map { ($0.id, false) }
  }

  /// A connection without a value for so long, in seconds, is left for another that has some.
  private static let longestSilence = 10.0

  /// A sensor's connection before any other, one that is open before one that was, the last to tell a heart rate, a
  /// client's side before a sensor's.
  private func weight(_ connection: LiveConnection) -> (Int, Int, Int64, Int, Int) {
    let isSensor =
      connection.last != nil || connection.measurementHandle != nil || connection.peer.advertisesHeartRate
    let last = connection.last.map { visible.time(of: $0.moment).microseconds / 10_000_000 } ?? .min
    let side = connection.server == .peer ? 1 : 0
    return (isSensor ? 1 : 0, connection.closed == nil ? 1 : 0, last, side, connection.id)
  }

  /// The keys, and where all this comes from.
  private func footer(_ screen: LiveScreen) -> LiveLine {
    var line = LiveLine()
    if held != nil { line.add("paused", .warning) }
    let arrows = screen.isUnicode ? "↑↓" : "up/down"
    let keys = [
      "q quit", held == nil ? "p pause" : "p go on", notes.contains { $0.finding != nil } ? "\(arrows) findings" : "",
      visible.connections.count > 1 ? "tab connection" : "", status.recording == nil ? "w record" : "",
    ]
    line.flow(keys, .quiet, width: screen.columns)
    for (text, style) in status.words where line.columns + 2 + DisplayWidth.columns(text) <= screen.columns {
      line.addRight(text, style, width: screen.columns)
      break
    }
    return line
  }
}

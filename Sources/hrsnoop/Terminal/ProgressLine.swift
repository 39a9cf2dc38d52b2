import CaptureAnalysis
import CaptureReports
import CaptureSources

/// How far a long reading has come: a line on standard error, only on a terminal, only after a second.
struct ProgressLine {
  private let path: FilePath
  private let size: Int?
  private let isShown: Bool
  private let clock = ContinuousClock()
  private var next: ContinuousClock.Instant
  private var isVisible = false

  init(path: FilePath, size: Int?, isQuiet: Bool) {
    self.path = path
    self.size = size
    isShown = !isQuiet && StandardError.isTerminal
    next = clock.now + .seconds(1)
  }

  /// Shows how many octets have been read, a few times a second.
  mutating func show(_ octets: Int) {
    guard isShown, clock.now >= next else { return }
    next = clock.now + .milliseconds(250)
    isVisible = true
    let read = "\(octets >> 20) MiB"
    let share = size.map { $0 > 0 ? " of \($0 >> 20) MiB, \(min(100, octets * 100 / $0)) %" : "" } ?? ""
    StandardError.say("\r\u{1B}[K\(AirText.shown("\(path)")): \(read)\(share)")
  }

  /// Takes the line away.
  mutating func clear() {
    if isVisible { StandardError.say("\r\u{1B}[K") }
    isVisible = false
  }
}

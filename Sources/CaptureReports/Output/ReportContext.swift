public import CaptureAnalysis
import CaptureFiles

/// What a report must know of the place it is written to.
public struct ReportContext: Sendable {
  /// The columns there are; lines are broken to fit.
  public var width: Int { didSet { width = Self.fitting(width) } }
  /// Whether a person reads it as it is written: what else is a line for each thing may be broken then.
  public var isTerminal: Bool
  /// Whether colours are shown.
  public var isColored: Bool
  /// The program's version.
  public var version: String
  /// The time zone that was asked for; nil if none was.
  public var zone: TimeZoneRule?
  /// The models of sensors that are known.
  public var profiles = SensorProfiles()

  /// A place from its properties.
  public init(
    width: Int = 80, isTerminal: Bool = false, isColored: Bool = false, version: String, zone: TimeZoneRule? = nil
  ) {
    self.width = Self.fitting(width)
    self.isTerminal = isTerminal
    self.isColored = isColored
    self.version = version
    self.zone = zone
  }

  /// A width that lines can be broken to: in fewer columns nothing can be told, and longer lines nobody reads.
  private static func fitting(_ columns: Int) -> Int { min(max(columns, 40), 240) }
}

extension ReportContext {
  /// How the time stamps of a capture are read.
  func reading(_ clock: CaptureClock) -> ClockReading { ClockReading(clock, zone: zone) }

  /// What stands above a part of a report, below an empty line.
  func heading(_ title: String) -> String { "\n" + sentence(Style.heading(title, self)) }
}

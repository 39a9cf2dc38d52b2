import CaptureAnalysis
import CaptureFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension TimeZoneRule {
  /// The zone that this computer is set to, with its summer time.
  static let ofThisComputer = TimeZoneRule(name: "this computer's time") { utc in
    var seconds = time_t(utc.microseconds / 1_000_000)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return 0 }
    return unsafe Int64(parts.tm_gmtoff) * 1_000_000
  }
}

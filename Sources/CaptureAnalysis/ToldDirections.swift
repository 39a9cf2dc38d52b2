import CaptureFiles

/// Whether a capture tells which way its packets went.
///
/// Some writers leave the direction of all packets at what it was, and say so that events are sent, or commands
/// received. What they say of data is worth as little: there the data themselves tell.
struct ToldDirections {
  /// Whether the first command and the first event went the way they go; nil before one has come.
  private var fits: (command: Bool?, event: Bool?)

  /// Whether directions are not to be believed.
  private(set) var areFalse: Bool

  /// - Parameter areFalse: Whether that is known, because the capture was read before.
  init(areFalse: Bool) { self.areFalse = areFalse }

  /// Takes a packet.
  mutating func note(_ record: CaptureRecord) {
    guard let direction = record.direction else { return }
    switch record.content {
    case .command: if fits.command == nil { fits.command = direction == .sent }
    case .event: if fits.event == nil { fits.event = direction == .received }
    default: return
    }
    if fits.command == false || fits.event == false { areFalse = true }
  }
}

import BluetoothHost
import CaptureFiles
import Octets

/// The last ATT PDU of a connection that neither notifies nor commands. No end says the same twice at one and the same
/// time, or nearly: some loggers write a packet twice.
struct DoubledPDU {
  private var bearer = BearerID.fixed
  private var direction = Direction.sent
  private var time = Timestamp.unknown
  private var length = 0
  /// Its first octets: the opcode, and what it is about.
  private var beginning: UInt64 = 0

  /// In microseconds: in this nobody says anything else, either.
  private static let most: Int64 = 100

  private func isAtOnce(with before: DoubledPDU) -> Bool {
    guard time.isTold, before.time.isTold else { return false }
    return (0...Self.most).contains(time.microseconds &- before.time.microseconds)
  }

  /// Takes a PDU.
  /// - Returns: Whether it is the one before it once more.
  mutating func note(_ payload: CapturedOctets, _ bearer: BearerID, _ direction: Direction, at time: Timestamp) -> Bool
  {
    if payload.isUnanswered { return false }
    let before = self
    (self.bearer, self.direction, self.time) = (bearer, direction, time)
    (length, beginning) = (payload.length, OctetWindow(payload.octets).word(at: 0))
    return isAtOnce(with: before) && length == before.length && beginning == before.beginning
      && direction == before.direction && bearer == before.bearer
  }
}

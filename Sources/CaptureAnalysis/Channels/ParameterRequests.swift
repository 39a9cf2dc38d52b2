import BluetoothHost
import CaptureFiles

/// Pairs the answers to requests for other connection parameters with the requests.
struct ParameterRequests {
  private var pending: [Pending] = []
  private var linkLayerRequest: ConnectionParameterRequest?
  /// More than these at once are not a conversation.
  private static let most = 8

  private struct Pending {
    let identifier: UInt8
    let direction: Direction
    /// nil if the capture cut it.
    let request: ConnectionParameterRequest?
  }

  /// What an L2CAP command has to do with it.
  mutating func apply(_ command: SignallingCommand, _ direction: Direction) -> ParameterRequestEvent? {
    let identifier = command.identifier
    switch command.content {
    case .connectionParameterUpdateRequest(let request): return asked(request, identifier, direction)
    case .cut(code: .connectionParameterUpdateRequest): return asked(nil, identifier, direction)
    case .connectionParameterUpdateResponse(let result):
      return answer(result == 0 ? .accepted : .refused, identifier, direction, isCertain: true)
    case .commandReject, .cut(code: .commandReject):
      return answer(.refused, identifier, direction, isCertain: false)
    default: return nil
    }
  }

  /// An identifier is used again: what it stood for has been answered. Core 6.0, Vol 3, Part A, 4.
  mutating func reuse(_ identifier: UInt8, _ direction: Direction) {
    pending.removeAll { $0.identifier == identifier && $0.direction == direction }
  }

  /// Records were lost: what the controller asks, and has not been answered, may have been.
  mutating func noteLoss() { linkLayerRequest = nil }

  private mutating func asked(
    _ request: ConnectionParameterRequest?, _ identifier: UInt8, _ direction: Direction
  ) -> ParameterRequestEvent {
    if pending.count == Self.most { pending.removeFirst() }
    pending.append(Pending(identifier: identifier, direction: direction, request: request))
    return ParameterRequestEvent(step: .asked, isFromPeer: direction == .received, request: request)
  }

  /// An answer; one that might be to something else counts only if its request is known.
  private mutating func answer(
    _ step: ParameterRequestEvent.Step, _ identifier: UInt8, _ direction: Direction, isCertain: Bool
  ) -> ParameterRequestEvent? {
    let place = pending.firstIndex { $0.identifier == identifier && $0.direction == direction.opposite }
    guard place != nil || isCertain else { return nil }
    let isStray = place == nil && pending.contains { $0.direction == direction.opposite }
    let request = place.flatMap { pending.remove(at: $0).request }
    return ParameterRequestEvent(step: step, isFromPeer: direction == .sent, request: request, isStray: isStray)
  }

  /// The same over the link layer, where the controller asks the host.
  mutating func apply(
    linkLayerRequest request: ConnectionParameterRequest?, _ step: ParameterRequestEvent.Step
  ) -> ParameterRequestEvent {
    let asked = step == .asked ? request : linkLayerRequest
    linkLayerRequest = step == .asked ? request : nil
    return ParameterRequestEvent(step: step, isFromPeer: true, request: asked, isOverLinkLayer: true)
  }
}

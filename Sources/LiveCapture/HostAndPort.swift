/// Where someone listens: HOST:PORT. The port is behind the last colon; a host that has colons may stand in brackets.
/// Without a host, it is this one.
public struct HostAndPort: Sendable, CustomStringConvertible {
  /// A name or an address.
  let host: String
  /// From 1 to 65535.
  let port: UInt16
  /// As it was given.
  public let description: String

  /// Reads one; nil if there is no port.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]"), host.count > 1 { host = host.dropFirst().dropLast() }
    self.host = host.isEmpty ? "localhost" : String(host)
    self.port = port
    description = text
  }
}

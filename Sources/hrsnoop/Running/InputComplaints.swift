import CaptureFiles
import CaptureSources
import Octets

// What is wrong with inputs, in words.

extension CaptureSurvey {
  /// Why there is no capture in a file.
  var complaint: String {
    guard isArchive else { return troubles.first?.complaint ?? "there is no capture in it. \(InputError.formats)" }
    guard let first = troubles.first else {
      return "there is no capture in this archive. \(InputError.formats) "
        + "How a bug report comes to hold one: hrsnoop explain capture"
    }
    let others = troubleCount - 1
    let more = others > 0 ? " (and \(others) more that cannot be read)" : ""
    return first.name == nil
      ? first.complaint + more : "no capture in this archive can be read: \(first.complaint)\(more)"
  }
}

extension CaptureSurvey.Trouble {
  /// What could not be looked into.
  var complaint: String {
    let reason =
      switch reason {
      case .source(let error): error.description
      case .content(let error): InputError.complaint(error)
      }
    return name.map { "\($0): \(reason)" } ?? reason
  }
}

extension InputError {
  /// Which formats can be read.
  static let formats =
    "hrsnoop reads btsnoop, pcap, pcapng and Apple PacketLogger, also in archives and bug reports."

  /// Why an input is not a capture that can be read.
  /// - Parameter isLive: Whether it is followed while it grows, and so cannot be in an archive.
  static func complaint(_ error: ParsingError, isLive: Bool = false) -> String {
    guard case .invalid(let what) = error.problem else { return "\(error.layer): \(error)" }
    let advice = isLive ? "live reads btsnoop, pcap, pcapng and Apple PacketLogger, and no archives." : formats
    return error.isRefusal
      ? "\(what)\(error.isRefusalOfUnknown ? ". \(advice)" : "")"
      : "\(error.layer) with \(error.field.lowercased()) \(what)"
  }
}

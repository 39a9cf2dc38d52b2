import CaptureFiles
import CaptureSources
import Octets

// What is wrong with inputs, in words.

extension CaptureSurvey {
  /// Why there is no capture in a file.
  var complaint: String {
    guard isArchive else {
      return barrenReport?.kind.complaint(isInArchive: false) ?? troubles.first?.complaint
        ?? "there is no capture in it. \(InputError.formats)"
    }
    guard let first = troubles.first else {
      if let report = barrenReport {
        return "there is no capture in this archive. "
          + "\(report.name.map { "\($0): " } ?? "")\(report.kind.complaint(isInArchive: true))"
      }
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

extension BarrenReport {
  /// Why there is no capture in it, and what to do.
  /// - Parameter isInArchive: Whether it lies in an archive, in which there is none, either.
  fileprivate func complaint(isInArchive: Bool) -> String {
    let what =
      switch self {
      case .without: "an Android bug report without a Bluetooth log in its text"
      case .empty: "an Android bug report whose Bluetooth log is empty: the phone has logged nothing"
      case .cutOff: "an Android bug report that ends where its Bluetooth log begins: copy it anew"
      }
    let option = "\"Enable Bluetooth HCI snoop log\""
    let place = "FS/data/misc/bluetooth/logs"
    let fullLog =
      isInArchive
      ? "Had \(option) been on, the full log would be in this archive, as a rule under \(place)"
      : "Where \(option) was on, the full log is in the bug report's zip, as a rule under \(place)"
    return "\(what). \(fullLog); how to get one: hrsnoop explain capture"
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

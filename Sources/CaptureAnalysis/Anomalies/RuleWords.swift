import BluetoothHost
import CaptureFiles
import GATTKit

// Words for records, handles, ends and PDUs.

/// "#231"; of a capture of several files with the file's number before it: "#2:231".
package func frameWords(_ frame: Int, _ member: Int?) -> String {
  "#" + (member.map { "\($0 + 1):" } ?? "") + "\(frame)"
}

/// The same of a moment's record.
func frameWords(_ moment: Moment) -> String { frameWords(moment.frame, moment.member) }

/// "0x0010".
package func handleWords(_ handle: UInt16) -> String { "0x" + handle.hexadecimal.lowercased() }

/// "0x000e to 0x0013".
func handleWords(_ range: AttributeRange) -> String { "\(handleWords(range.start)) to \(handleWords(range.end))" }

extension ServerSide {
  /// "the local host", or "the peer": who is its client.
  var client: String { self == .peer ? "the local host" : "the peer" }

  /// " of the local host", and nothing for the peer, whose something is otherwise taken to be.
  var ofWhom: String { self == .peer ? "" : " of the local host" }
}

extension Direction {
  /// "the local host", or "the peer": who sends what goes this way.
  var sender: String { self == .sent ? "the local host" : "the peer" }
}

extension ATTOpcode {
  /// "Read Request", "PDU 0x2F".
  package var words: String { name ?? "PDU 0x\(rawValue.hexadecimal)" }

  /// "a Read Request", "an Exchange MTU Request".
  var phrase: String { (words.hasPrefix("E") ? "an " : "a ") + words }
}

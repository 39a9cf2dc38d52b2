import Foundation
import TestSupport

extension View {
  /// What tshark tells of a capture: the ATT PDUs that it finds, and what it takes their attributes for.
  static func tshark(_ tshark: URL, _ path: String) async throws -> View {
    let output = try await Programs.run(
      tshark, ["-r", path, "-Y", "btatt", "-T", "json", "-x", "-J", "frame btatt", "--no-duplicate-keys"])
    let packets = try JSONSerialization.jsonObject(with: output) as? [[String: Any]] ?? []
    var reader = TsharkReader()
    for packet in packets {
      let layers = (packet["_source"] as? [String: Any])?["layers"] as? [String: Any] ?? [:]
      reader.read(layers)
    }
    return reader.view
  }
}

/// Makes facts of tshark's packets. Pairing responses with requests, and naming their handles, is left to tshark.
private struct TsharkReader {
  private(set) var view = View()
  /// The PDUs so far, by their records.
  private var pdus: [Int: [UInt8]] = [:]
  /// Values that are being prepared, by their handles.
  private var prepared: [Int: [UInt8]] = [:]

  mutating func read(_ layers: [String: Any]) {
    guard let frame = (layers["frame"] as? [String: Any])?.text("frame.number").flatMap({ Int($0) }) else { return }
    // A record with several PDUs has arrays, of the fields and of the octets.
    let fields = layers["btatt"] as? [[String: Any]] ?? (layers["btatt"] as? [String: Any]).map { [$0] } ?? []
    let raw = layers["btatt_raw"] as? [[Any]] ?? (layers["btatt_raw"] as? [Any]).map { [$0] } ?? []
    for (fields, raw) in zip(fields, raw) {
      read(hex(raw.first as? String ?? ""), fields, frame)
    }
  }

  private mutating func read(_ pdu: [UInt8], _ fields: [String: Any], _ frame: Int) {
    guard let opcode = pdu.first else { return }
    pdus[frame] = pdu
    let handle = fields.number("btatt.handle")
    let request = fields.text("btatt.request_in_frame").flatMap { Int($0) }.flatMap { pdus[$0] } ?? []
    switch opcode {
    case 0x0B, 0x0D, 0x0F: add(frame, .read, handle, pdu.dropFirst())
    case 0x09: addReads(pdu, request, frame)
    case 0x13: add(frame, .write, handle, request.dropFirst(3))
    case 0x16: prepared[handle ?? 0, default: []] += pdu.dropFirst(5)
    case 0x19:
      for (handle, value) in prepared { add(frame, .write, handle, value) }
      prepared = [:]
    case 0x52: add(frame, .write, handle, pdu.dropFirst(3))
    case 0x1B, 0x1D:
      add(frame, opcode == 0x1B ? .notification : .indication, handle, pdu.dropFirst(3))
      let tree = fields["btatt.handle_tree"] as? [String: Any] ?? [:]
      if tree.number("btatt.uuid16") == 0x2A37 { view.heartRates.append(pdu.dropFirst(3).hexadecimal) }
    default: break
    }
  }

  /// Read By Type tells values too, where it does not ask for declarations.
  private mutating func addReads(_ pdu: [UInt8], _ request: [UInt8], _ frame: Int) {
    let declarations: [[UInt8]] = [[0x02, 0x28], [0x03, 0x28]]
    guard pdu.count > 1, !declarations.contains(Array(request.dropFirst(5))) else { return }
    let length = max(2, Int(pdu[1]))
    for start in stride(from: 2, through: pdu.count - length, by: length) {
      let entry = pdu[start..<(start + length)]
      add(frame, .read, Int(entry[start]) | Int(entry[start + 1]) << 8, entry.dropFirst(2))
    }
  }

  private mutating func add(
    _ frame: Int, _ kind: AttributeFact.Kind, _ handle: Int?, _ value: some Sequence<UInt8>
  ) {
    view.facts.append(AttributeFact(frame: frame, kind: kind, handle: handle ?? -1, value: value.hexadecimal))
  }
}

extension [String: Any] {
  /// A field's text; the first one's where there are several.
  fileprivate func text(_ field: String) -> String? {
    self[field] as? String ?? (self[field] as? [String])?.first
  }

  /// A field's number, decimal or with 0x before it.
  fileprivate func number(_ field: String) -> Int? {
    text(field).flatMap { $0.hasPrefix("0x") ? Int($0.dropFirst(2), radix: 16) : Int($0) }
  }
}

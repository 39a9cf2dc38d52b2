import CaptureAnalysis
public import GATTKit
import Octets

/// `decode`: one characteristic value in words.
public struct DecodedValue: Sendable {
  private let uuid: BluetoothUUID
  private let octets: ContiguousArray<UInt8>
  private let fields: [ValueField]
  /// What is wrong with the value, or why it cannot be decoded; nil if nothing is.
  public let problem: String?

  /// Decodes a value.
  public init(_ uuid: BluetoothUUID, _ octets: ContiguousArray<UInt8>) {
    self.uuid = uuid
    self.octets = octets
    guard let kind = AttributeValues.kind(of: uuid) else {
      fields = []
      let known = AttributeValues.all.map { "\($0.uuid) \($0.name)" }.joined(separator: ", ")
      problem = "\(Self.title(uuid)) is none of the values that can be decoded. Those are: \(known)."
      return
    }
    do throws(ParsingError) {
      fields = try kind.fields(of: octets.span)
      problem = nil
    } catch {
      fields = Self.fields(of: octets, before: error, kind)
      let name = error.field == kind.name ? "" : "\(kind.name): "
      problem = "\(name)\(error) (octet \(error.offset) of the value)"
    }
  }

  /// What can be read of a broken value: of a measurement each field before the fault, of others what stands before octets
  /// that are left over.
  private static func fields(
    of octets: ContiguousArray<UInt8>, before error: ParsingError, _ kind: AttributeValueKind
  ) -> [ValueField] {
    if kind.uuid == .heartRateMeasurement {
      return HeartRateMeasurement.Reading(lax: octets.span, length: octets.count).fields
    }
    guard case .leftOver = error.problem else { return [] }
    return (try? kind.fields(of: octets.span.extracting(first: error.offset))) ?? []
  }

  private static func title(_ uuid: BluetoothUUID) -> String {
    AssignedNumbers.attributeName(uuid).map { "\(uuid) \($0)" } ?? "\(uuid)"
  }

  /// Writes the value: its name, then a field a line; where one is wider than that, each as far as the width goes.
  public func write(into buffer: consuming ReportBuffer, _ context: ReportContext) {
    buffer.write(context.flow([Style.heading(Self.title(uuid), context)], hanging: 2))
    let values = fields.map { AirText.shown($0.value, limit: 512) + ($0.unit.map { " " + $0 } ?? "") }
    let width = fields.map { DisplayWidth.columns($0.name) }.max() ?? 0
    let areNarrow = values.allSatisfy { 4 + width + DisplayWidth.columns($0) <= context.width }
    for (field, value) in zip(fields, values) {
      buffer.write(
        areNarrow
          ? "  \(TextLayout.padded(field.name, width))  \(value)\n"
          : context.flow([field.name, value], indent: 2, hanging: 4))
    }
    buffer.flush()
  }
}

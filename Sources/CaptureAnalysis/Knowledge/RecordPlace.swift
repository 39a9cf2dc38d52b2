/// Which record it is.
struct RecordPlace: Hashable, Sendable {
  let frame: Int
  /// The file of the capture, where there are several.
  let member: Int?
}

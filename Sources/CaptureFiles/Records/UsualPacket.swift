/// An HCI packet that nothing is odd about: all of it is in its record, nothing is missing before it, and its capture
/// comes from one adapter. The octets, which are borrowed, are handed on beside it.
@frozen public struct UsualPacket: Sendable, BitwiseCopyable {
  /// The record's position in the file, counted from 1.
  public let number: Int
  /// When it was captured.
  public let time: Timestamp
  /// What kind of interface it was captured on.
  public let linkType: LinkType
  /// What it is.
  public let content: RecordContent
  /// Where it went.
  public let direction: Direction
  /// Where it begins in the file, behind the link type's header.
  public let offset: Int

  @inlinable @inline(__always)
  init(
    number: Int, time: Timestamp, linkType: LinkType, content: RecordContent, direction: Direction, offset: Int
  ) {
    self.number = number
    self.time = time
    self.linkType = linkType
    self.content = content
    self.direction = direction
    self.offset = offset
  }
}

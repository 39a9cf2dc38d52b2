import CaptureFiles

/// One side of one ATT bearer: what it asks, the other one answers.
struct BearerSide: Hashable {
  /// The bearer, as in `ATTDialoguePDU`.
  let bearer: Int?
  /// Which way goes what this side sends.
  let direction: Direction

  /// The other side of the same bearer.
  var opposite: BearerSide { BearerSide(bearer: bearer, direction: direction.opposite) }
}

extension ATTDialoguePDU {
  /// The side that sends it.
  var side: BearerSide { BearerSide(bearer: bearer, direction: direction) }
}

/// The block cipher of Bluetooth security, for one block at a time.
///
/// Core 6.0, Vol 3, Part H, 2.2.1, and FIPS 197. It is used on keys that a capture shows to whoever reads it, so nothing
/// has to be kept from those who measure its time.
struct AES128: Hashable {
  /// A block of 16 octets, as the four columns of the cipher's state; in each, the most significant octet comes first.
  typealias Block = SIMD4<UInt32>

  private let roundKeys: ContiguousArray<Block>

  private static let rounds = 10

  /// A cipher with a key.
  init(key: Block) {
    var keys = [key]
    var constant: UInt8 = 1
    for _ in 1...Self.rounds {
      var next = keys[keys.count - 1]
      next[0] ^= Self.substituted(next[3] << 8 | next[3] >> 24) ^ UInt32(constant) << 24
      for column in 1..<4 { next[column] ^= next[column - 1] }
      keys.append(next)
      constant = Self.doubled(constant)
    }
    roundKeys = ContiguousArray(keys)
  }

  /// A block of 16 octets, the most significant first.
  static func block(_ octets: some Sequence<UInt8>) -> Block {
    var block = Block()
    for (place, octet) in octets.enumerated() { block[place / 4] = block[place / 4] << 8 | UInt32(octet) }
    return block
  }

  /// Encrypts a block.
  func encrypt(_ block: Block) -> Block {
    var state = block ^ roundKeys[0]
    for round in 1..<Self.rounds { state = Self.eachColumn(ofShifted: state, Self.mixed) ^ roundKeys[round] }
    return Self.eachColumn(ofShifted: state, Self.substituted) ^ roundKeys[Self.rounds]
  }

  /// Shifts the rows of a state, and changes its columns then.
  @inline(__always)
  private static func eachColumn(ofShifted state: Block, _ change: (UInt32) -> UInt32) -> Block {
    func column(_ first: Int, _ second: Int, _ third: Int, _ fourth: Int) -> UInt32 {
      change(state[first] & 0xFF00_0000 | state[second] & 0xFF_0000 | state[third] & 0xFF00 | state[fourth] & 0xFF)
    }
    return Block(column(0, 1, 2, 3), column(1, 2, 3, 0), column(2, 3, 0, 1), column(3, 0, 1, 2))
  }

  /// A column with its octets substituted.
  private static func substituted(_ column: UInt32) -> UInt32 {
    var result: UInt32 = 0
    for shift in stride(from: 24 as UInt32, through: 0, by: -8) {
      result = result << 8 | UInt32(substitutes[Int(column >> shift & 0xFF)])
    }
    return result
  }

  /// A column with its octets substituted, and mixed.
  private static func mixed(_ column: UInt32) -> UInt32 {
    let table = mixtures
    func mixture(_ shift: UInt32) -> UInt32 { table[Int(column >> shift & 0xFF)] }
    let (second, third, fourth) = (mixture(16), mixture(8), mixture(0))
    return mixture(24) ^ (second >> 8 | second << 24) ^ (third >> 16 | third << 16) ^ (fourth >> 24 | fourth << 8)
  }

  /// What each octet adds to the mixture of a column in which it is the first: a look at a table costs less than the
  /// multiplications, and a crowd's private addresses are many.
  private static let mixtures = ContiguousArray(
    substitutes.map { element in
      let doubled = doubled(element)
      return UInt32(doubled) << 24 | UInt32(element) << 16 | UInt32(element) << 8 | UInt32(doubled ^ element)
    })

  /// Twice an element of the field with 256 elements.
  private static func doubled(_ element: UInt8) -> UInt8 {
    element << 1 ^ (element & 0x80 == 0 ? 0 : 0x1B)
  }

  /// The substitution: each element's inverse in the field, stirred.
  private static let substitutes: ContiguousArray<UInt8> = {
    var table = ContiguousArray<UInt8>(repeating: 0x63, count: 256)
    var (element, inverse): (UInt8, UInt8) = (1, 1)
    repeat {
      // Three is a generator of the field's multiplication, and 0xF6 its inverse.
      element ^= doubled(element)
      inverse ^= inverse << 1
      inverse ^= inverse << 2
      inverse ^= inverse << 4
      if inverse & 0x80 != 0 { inverse ^= 0x09 }
      let rotated = [1, 2, 3, 4].reduce(inverse) { $0 ^ (inverse << $1 | inverse >> (8 - $1)) }
      table[Int(element)] = rotated ^ 0x63
    } while element != 1
    return table
  }()
}

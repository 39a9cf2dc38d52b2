/// The block cipher of Bluetooth security, for one block at a time.
///
/// Core 6.0, Vol 3, Part H, 2.2.1, and FIPS 197. It is used on keys that a capture shows to whoever reads it, so nothing
/// has to be kept from those who measure its time.
struct AES128: Hashable {
  /// The eleven round keys, one behind the other.
  private let roundKeys: ContiguousArray<UInt8>

  private static let rounds = 10

  /// A cipher with a key of 16 octets, the most significant first.
  init(key: ContiguousArray<UInt8>) {
    precondition(key.count == 16)
    var keys = key
    var constant: UInt8 = 1
    for word in 4..<4 * (Self.rounds + 1) {
      var last = ContiguousArray(keys[(word * 4 - 4)..<(word * 4)])
      if word % 4 == 0 {
        last = ContiguousArray([last[1], last[2], last[3], last[0]].map { Self.substitutes[Int($0)] })
        last[0] ^= constant
        constant = Self.doubled(constant)
      }
      for index in 0..<4 { keys.append(keys[(word - 4) * 4 + index] ^ last[index]) }
    }
    roundKeys = keys
  }

  /// Encrypts a block of 16 octets, the most significant first.
  func encrypt(_ block: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    precondition(block.count == 16)
    var state = block
    add(round: 0, to: &state)
    for round in 1...Self.rounds {
      for index in state.indices { state[index] = Self.substitutes[Int(state[index])] }
      Self.shiftRows(&state)
      if round < Self.rounds { Self.mixColumns(&state) }
      add(round: round, to: &state)
    }
    return state
  }

  private func add(round: Int, to state: inout ContiguousArray<UInt8>) {
    for index in state.indices { state[index] ^= roundKeys[round * 16 + index] }
  }

  private static func shiftRows(_ state: inout ContiguousArray<UInt8>) {
    for row in 1..<4 {
      for _ in 0..<row {
        let first = state[row]
        for column in 0..<3 { state[column * 4 + row] = state[column * 4 + 4 + row] }
        state[12 + row] = first
      }
    }
  }

  private static func mixColumns(_ state: inout ContiguousArray<UInt8>) {
    for start in stride(from: 0, to: 16, by: 4) {
      let first = state[start]
      let all = first ^ state[start + 1] ^ state[start + 2] ^ state[start + 3]
      for row in start..<(start + 3) { state[row] ^= all ^ doubled(state[row] ^ state[row + 1]) }
      state[start + 3] ^= all ^ doubled(state[start + 3] ^ first)
    }
  }

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

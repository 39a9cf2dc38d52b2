/// A number by which octets are known again: FNV-1a, the same in every run, unlike the standard library's hashes.
func fingerprint(of octets: Span<UInt8>) -> UInt64 {
  var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
  for index in octets.indices { fingerprint = (fingerprint ^ UInt64(octets[index])) &* 0x100_0000_01B3 }
  return fingerprint
}

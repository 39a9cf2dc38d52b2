/// A device that changes its address.
package enum PrivateDevice {
  /// Its key: the specification's own sample of the random address hash function, IRK ec0234a3 57c8ad05 341010a6 0a397d9b,
  /// prand 708194, hash 0dfbaa.
  package static let key = hex("9b7d390aa610103405adc857a33402ec")
  /// The private address that these make.
  package static let address = hex("aa fb 0d 94 81 70")
  /// Its lasting address.
  package static let identity = HostSide.address(1)
}

extension HostSide {
  /// The host gives its controller the key of the device that changes its address.
  package mutating func giveKey() {
    command(0x2027, [0x01] + PrivateDevice.identity + PrivateDevice.key + Array(repeating: 0, count: 16))
  }
}

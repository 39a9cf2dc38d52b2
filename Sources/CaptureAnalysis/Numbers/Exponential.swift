/// e to a power, by squaring: to six digits and more for what odds and tests of samples ask. A library for it would be the
/// only thing taken from one.
func exponential(_ power: Double) -> Double {
  guard power > -700 else { return 0 }
  let part = power / 4096
  var value = 1 + part * (1 + part / 2 * (1 + part / 3 * (1 + part / 4)))
  for _ in 0..<12 { value *= value }
  return value
}

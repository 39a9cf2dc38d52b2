import CaptureSources

/// Why an input gave no result: a sentence that names it.
struct InputError: Error {
  let path: FilePath
  let message: String

  /// Says it where people see it.
  func complain() {
    // An empty one is what a script gives whose variable is not set.
    let name = path.isStandardInput ? "standard input" : path.octets.isEmpty ? "''" : path.description
    StandardError.complain("\(name): \(message)")
  }
}

extension [InputError] {
  /// Says what is wrong with an input, and adds it; the others are still read.
  mutating func complain(_ error: InputError) {
    error.complain()
    append(error)
  }
}

import CaptureSources

/// Why an input gave no result: a sentence that names it.
struct InputError: Error {
  let path: FilePath
  let message: String

  /// Says it where people see it.
  func complain() {
    StandardError.complain("\(path.isStandardInput ? "standard input" : path.shown): \(message)")
  }
}

extension FilePath {
  /// The path, to be told. An empty one is what a script gives whose variable is not set.
  var shown: String { octets.isEmpty ? "''" : description }
}

extension [InputError] {
  /// Says what is wrong with an input, and adds it; the others are still read.
  mutating func complain(_ error: InputError) {
    error.complain()
    append(error)
  }
}

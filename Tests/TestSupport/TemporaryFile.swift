import Foundation

/// Lends the path of a file of octets, and removes the file.
package func temporaryFile<Result>(_ octets: [UInt8], _ body: (String) throws -> Result) throws -> Result {
  let url = FileManager.default.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)")
  try Data(octets).write(to: url)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url.path)
}

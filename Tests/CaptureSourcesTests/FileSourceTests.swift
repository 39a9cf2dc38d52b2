import CaptureSources
import Foundation
import Testing
import TestSupport

/// Reads a source to its end in pieces.
func readAll(_ source: inout some OctetSource & ~Copyable, piece: Int = 1000) throws(SourceError) -> [UInt8] {
  var all: [UInt8] = []
  let space = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 1)
  defer { unsafe space.deallocate() }
  while true {
    let count = try unsafe source.read(into: space)
    if count == 0 { return all }
    unsafe all.append(contentsOf: space.prefix(count))
  }
}

@Suite struct `Files and pipes` {
  private let octets = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }

  @Test(arguments: [1, 7, 4999, 5000, 5001, 100_000])
  func `reads a file to its end`(piece: Int) throws {
    try temporaryFile(octets) { path in
      var source = try FileSource(path: FilePath(path))
      #expect(source.size == 5000)
      #expect(try readAll(&source, piece: piece) == octets)
      #expect(try readAll(&source, piece: piece) == [])
    }
  }

  @Test func `an empty file has an end`() throws {
    try temporaryFile([]) { path in
      var source = try FileSource(path: FilePath(path))
      #expect(source.size == 0)
      #expect(try readAll(&source) == [])
    }
  }

  /// What is as long as may be is not longer.
  @Test func `reads all of a file, if that is short enough`() throws {
    try temporaryFile(octets) { path in
      let all = try FileSource.all(of: FilePath(path), limit: 5000)
      #expect(Array(all) == octets)
      #expect(throws: SourceError("it is longer than 4999 octets")) {
        _ = try FileSource.all(of: FilePath(path), limit: 4999)
      }
    }
  }

  /// A named pipe: no size, and read to the end that its writer makes.
  @Test func `reads a pipe`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)").path
    let made = unsafe mkfifo(path, 0o600)
    try #require(made == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = Task.detached { [octets] in
      let handle = try FileHandle(forWritingTo: URL(filePath: path))
      try handle.write(contentsOf: Data(octets))
      try handle.close()
    }
    var source = try FileSource(path: FilePath(path))
    #expect(source.size == nil)
    #expect(try readAll(&source) == octets)
    try await writer.value
  }

  @Test func `a missing file`() throws {
    #expect(throws: SourceError("there is no such file")) {
      _ = try FileSource(path: "/no/such/file")
    }
    #expect(throws: SourceError("there is no such file")) { _ = try FileSource(path: "") }
  }

  /// The system opens directories; it is reading that fails.
  @Test func `a directory`() throws {
    var source = try FileSource(path: FilePath(FileManager.default.temporaryDirectory.path))
    var message = ""
    do { _ = try readAll(&source) } catch { message = error.description }
    #expect(message == "it is a directory")
    #expect(source.size == nil)
  }

  @Test func `a link that leads to itself`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)").path
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    var message = ""
    do { _ = try FileSource(path: FilePath(path)) } catch { message = error.description }
    #expect(message.hasPrefix("cannot be opened: "))
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may read every file"))
  func `no permission`() throws {
    try temporaryFile(octets) { path in
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
      #expect(throws: SourceError("permission denied: it may not be read by this user")) {
        _ = try FileSource(path: FilePath(path))
      }
    }
  }
}

import CaptureSources
import Foundation
import Testing

@Suite struct `Paths of inputs` {
  private func folder<Result>(_ files: [String], _ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in files {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    return try body(folder.path)
  }

  @Test func `tells directories from files`() throws {
    try folder(["file"]) { path in
      #expect(InputPaths.isDirectory(path) && InputPaths.isDirectory(path + "/"))
      #expect(!InputPaths.isDirectory(path + "/file") && !InputPaths.isDirectory(path + "/missing"))
      try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: path)
      #expect(InputPaths.isDirectory(path + "/link"))
    }
    #expect(!InputPaths.isDirectory("-") && !InputPaths.isDirectory(""))
  }

  @Test func `lists files below a directory by name`() throws {
    try folder(["b", "a/z", "a/y/x", ".hidden", "C"]) { path in
      let expected = [".hidden", "C", "a/y/x", "a/z", "b"].map { "\(path)/\($0)" }
      let files = try InputPaths.files(below: path)
      let same = try InputPaths.files(below: path + "/")
      #expect(files == expected && same == expected)
    }
  }

  @Test func `an empty directory has none`() throws {
    let files = try folder([]) { try InputPaths.files(below: $0) }
    #expect(files.isEmpty)
  }

  /// A link to a file is a file; a link to a directory might lead round in a circle.
  @Test func `links`() throws {
    try folder(["file", "sub/inner"]) { path in
      let manager = FileManager.default
      try manager.createSymbolicLink(atPath: path + "/to-file", withDestinationPath: path + "/file")
      try manager.createSymbolicLink(atPath: path + "/sub/up", withDestinationPath: path)
      try manager.createSymbolicLink(atPath: path + "/nowhere", withDestinationPath: path + "/missing")
      let files = try InputPaths.files(below: path)
      #expect(files == ["file", "sub/inner", "to-file"].map { "\(path)/\($0)" })
    }
  }

  /// A named pipe would wait for a writer for ever.
  @Test func `what is no file is left out`() throws {
    try folder(["file"]) { path in
      let made = unsafe mkfifo(path + "/pipe", 0o600)
      try #require(made == 0)
      let files = try InputPaths.files(below: path)
      #expect(files == [path + "/file"])
    }
  }

  @Test func `deep nesting ends`() throws {
    let deep = (0..<40).map { "d\($0)" }.joined(separator: "/") + "/file"
    try folder([deep, "file"]) { path in
      let files = try InputPaths.files(below: path)
      #expect(files == [path + "/file"])
    }
  }

  @Test func `too many files`() throws {
    var message = ""
    try folder((0...InputPaths.mostFiles).map { "\($0)" }) { path in
      do { _ = try InputPaths.files(below: path) } catch { message = "\(error)" }
    }
    #expect(message == "it holds more than \(InputPaths.mostFiles) files")
  }

  @Test func `a missing directory`() {
    #expect(throws: SourceError("there is no such file")) { _ = try InputPaths.files(below: "/no/such/directory") }
  }
}

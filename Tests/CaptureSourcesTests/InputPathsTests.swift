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
      #expect(InputPaths.isDirectory(FilePath(path)) && InputPaths.isDirectory(FilePath(path + "/")))
      #expect(!InputPaths.isDirectory(FilePath(path + "/file")) && !InputPaths.isDirectory(FilePath(path + "/missing")))
      try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: path)
      #expect(InputPaths.isDirectory(FilePath(path + "/link")))
    }
    #expect(!InputPaths.isDirectory("-") && !InputPaths.isDirectory(""))
  }

  @Test func `lists files below a directory by name`() throws {
    try folder(["b", "a/z", "a/y/x", ".hidden", "C"]) { path in
      let expected = [".hidden", "C", "a/y/x", "a/z", "b"].map { FilePath("\(path)/\($0)") }
      let files = try InputPaths.contents(of: FilePath(path)).files
      let same = try InputPaths.contents(of: FilePath(path + "/")).files
      #expect(files == expected && same == expected)
    }
  }

  @Test func `an empty directory has none`() throws {
    let files = try folder([]) { try InputPaths.contents(of: FilePath($0)).files }
    #expect(files.isEmpty)
  }

  /// A link to a file is a file, unless that is there already; a link to a directory might lead round in a circle.
  @Test func `links`() throws {
    try folder(["elsewhere", "inside/file", "inside/sub/inner"]) { outside in
      let manager = FileManager.default
      let path = outside + "/inside"
      for (link, target) in [
        ("a-link", "file"), ("to-file", "file"), ("sub/to-inner", "sub/inner"), ("one", "../elsewhere"),
        ("two", "../elsewhere"), ("sub/up", ""), ("nowhere", "missing"),
      ] {
        try manager.createSymbolicLink(atPath: "\(path)/\(link)", withDestinationPath: "\(path)/\(target)")
      }
      let files = try InputPaths.contents(of: FilePath(path)).files
      #expect(files == ["file", "one", "sub/inner"].map { FilePath("\(path)/\($0)") })
    }
  }

  /// A named pipe would wait for a writer for ever.
  @Test func `what is no file is left out`() throws {
    try folder(["file"]) { path in
      let made = unsafe mkfifo(path + "/pipe", 0o600)
      try #require(made == 0)
      let files = try InputPaths.contents(of: FilePath(path)).files
      #expect(files == [FilePath(path + "/file")])
    }
  }

  @Test func `deep nesting ends`() throws {
    let deep = (0..<40).map { "d\($0)" }.joined(separator: "/") + "/file"
    try folder([deep, "file"]) { path in
      let contents = try InputPaths.contents(of: FilePath(path))
      #expect(contents.files == [FilePath(path + "/file")])
      // Where it ends is told.
      let end = FilePath(path + (0..<16).map { "/d\($0)" }.joined())
      #expect(contents.unreadable.map(\.path) == [end])
    }
  }

  /// What a user may not read costs nothing else. The superuser may read anything.
  @Test(.enabled(if: getuid() != 0, "the superuser may read every file"))
  func `what may not be read is told apart`() throws {
    try folder(["a", "closed/x", "listed/x", "listed/y", "z"]) { path in
      let manager = FileManager.default
      try manager.createSymbolicLink(atPath: path + "/link", withDestinationPath: path + "/closed/x")
      for (name, permissions) in [("closed", 0), ("listed", 0o400)] {
        try manager.setAttributes([.posixPermissions: permissions], ofItemAtPath: "\(path)/\(name)")
      }
      defer {
        for name in ["closed", "listed"] {
          try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(path)/\(name)")
        }
      }
      let contents = try InputPaths.contents(of: FilePath(path))
      #expect(contents.files == ["a", "z"].map { FilePath("\(path)/\($0)") })
      #expect(contents.unreadable.map(\.path) == ["closed", "link", "listed"].map { FilePath("\(path)/\($0)") })
      let denied = SourceError("permission denied: it may not be read by this user")
      #expect(contents.unreadable.allSatisfy { $0.error == denied })
    }
  }

  @Test func `too many files`() throws {
    var message = ""
    try folder((0...InputPaths.mostFiles).map { "\($0)" }) { path in
      do { _ = try InputPaths.contents(of: FilePath(path)).files } catch { message = "\(error)" }
    }
    #expect(message.hasPrefix("it holds more than \(InputPaths.mostFiles) files; give"))
  }

  @Test func `a missing directory`() {
    #expect(throws: SourceError("there is no such file")) { _ = try InputPaths.contents(of: "/no/such/directory") }
  }
}

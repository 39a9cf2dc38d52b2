import CaptureSources
import Foundation
import LiveCapture
import Testing
import TestSupport

@Suite struct `Files that grow` {
  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func append(_ octets: [UInt8], to file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(octets))
    try handle.close()
  }

  @Test func `are read on as they grow`() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      try Data([1, 2, 3]).write(to: file)
      var input = try LiveInput.file(FilePath(file.path))
      #expect(input.hasPast && input.name == file.path)
      #expect(try input.take(3) == [1, 2, 3])
      if case .nothing = try input.fill() {} else { Issue.record("there is no more") }
      for octet in UInt8(4)...9 {
        try append([octet, octet], to: file)
        #expect(try input.take(2) == [octet, octet])
      }
    }
  }

  /// What the old file holds is read to its end before the new one is begun.
  @Test func `are followed when they are rotated`() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      try Data([1]).write(to: file)
      var input = try LiveInput.file(FilePath(file.path))
      #expect(try input.take(1) == [1])
      try append([2, 3], to: file)
      try FileManager.default.moveItem(at: file, to: folder.appending(path: "log.last"))
      try append([4], to: folder.appending(path: "log.last"))
      #expect(try input.take(3) == [2, 3, 4])
      let gone = try input.sentence()
      #expect(!gone.isAnew && gone.text.contains("is gone"))
      try Data([5, 6]).write(to: file)
      let anew = try input.sentence()
      #expect(anew.isAnew && !anew.isGap && anew.text.contains("another file"))
      #expect(try input.take(2) == [5, 6])
    }
  }

  @Test func `are waited for while a directory is in their place`() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      try Data([1]).write(to: file)
      var input = try LiveInput.file(FilePath(file.path))
      #expect(try input.take(1) == [1])
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      #expect(try input.sentence().text.contains("is gone"))
      try FileManager.default.removeItem(at: file)
      try Data([2]).write(to: file)
      #expect(try input.sentence().isAnew)
      #expect(try input.take(1) == [2])
    }
  }

  /// Nobody knows what was written nowhere. While nothing is there, no silence is one.
  @Test func `lose what comes while there is none`() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      try Data().write(to: file)
      var input = try LiveInput.file(FilePath(file.path))
      for _ in 1...20 {
        try append([1], to: file)
        #expect(try input.take(1) == [1])
        input.noteDelivery(of: 1)
      }
      #expect(input.isPrompt)
      try FileManager.default.removeItem(at: file)
      #expect(try input.sentence().text.contains("is gone") && !input.isPrompt)
      let waiting = ContinuousClock.now + .milliseconds(2100)
      while ContinuousClock.now < waiting {
        if Readiness.wait(for: input.readiness, or: [], atMost: .milliseconds(50)).source { _ = try input.fill() }
      }
      try Data([2]).write(to: file)
      let anew = try input.sentence()
      #expect(anew.isAnew && anew.isGap && !input.isPrompt)
      #expect(try input.take(1) == [2])
      // Whoever writes the new one may do so otherwise; it is here again, once it shows how.
      for _ in 1...20 {
        #expect(!input.isPrompt)
        input.noteDelivery(of: 1)
        if input.isPrompt { break }
        try append([1], to: file)
        #expect(try input.take(1) == [1])
      }
      #expect(input.isPrompt)
    }
  }

  /// What stays unfinished in the old file is lost.
  @Test func `lose what is cut off by a rotation`() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      try Data([1, 2]).write(to: file)
      var input = try LiveInput.file(FilePath(file.path))
      #expect(try input.take(1) == [1])
      try FileManager.default.moveItem(at: file, to: folder.appending(path: "log.last"))
      try Data([7]).write(to: file)
      let anew = try input.sentence()
      #expect(anew.isAnew && anew.isGap)
      #expect(try input.take(1) == [7])
    }
  }

  /// A writer's buffer ends somewhere within a record.
  @Test func `whose last record is not whole do not come at once`() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      try Data([1]).write(to: file)
      var input = try LiveInput.file(FilePath(file.path))
      for _ in 1...20 {
        guard case .octets = try input.step() else { throw Unexpected() }
        input.noteDelivery(of: 1)
        try append([1], to: file)
      }
      #expect(!input.isPrompt)
    }
  }

  @Test func `that are put back are here again`() throws {
    try inFolder { folder in
      let (file, away) = (folder.appending(path: "log"), folder.appending(path: "log.last"))
      try Data([1]).write(to: file)
      var input = try LiveInput.file(FilePath(file.path))
      for _ in 1...20 {
        #expect(try input.take(1) == [1])
        input.noteDelivery(of: 1)
        try append([1], to: file)
      }
      #expect(try input.take(1) == [1] && input.isPrompt)
      try FileManager.default.moveItem(at: file, to: away)
      #expect(try input.sentence().text.contains("is gone") && !input.isPrompt)
      try FileManager.default.moveItem(at: away, to: file)
      if case .nothing = try input.fill() {} else { Issue.record("there is no more") }
      #expect(input.isPrompt)
    }
  }

  /// What is longer than before need not have grown.
  @Test(arguments: [[1, 2, 3], Array(repeating: 1, count: 1000)] as [[UInt8]])
  func `are begun again when they were written anew`(before: [UInt8]) throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      try Data(before).write(to: file)
      var input = try LiveInput.file(FilePath(file.path))
      #expect(try input.take(before.count) == before)
      if case .nothing = try input.fill() {} else { Issue.record("there is no more") }
      // In the same file.
      let other = [1, 7] + before
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: Data(other))
      try handle.close()
      let anew = try input.sentence()
      #expect(anew.isAnew && anew.isGap && anew.text.contains("was written anew"))
      #expect(try input.take(other.count) == other)
    }
  }

  @Test func `are begun again when they were truncated`() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      try Data([1, 2, 3]).write(to: file)
      var input = try LiveInput.file(FilePath(file.path))
      #expect(try input.take(3) == [1, 2, 3])
      if case .nothing = try input.fill() {} else { Issue.record("there is no more") }
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 0)
      let anew = try input.sentence()
      #expect(anew.isAnew && anew.isGap && anew.text.contains("shorter"))
      try handle.seek(toOffset: 0)
      try handle.write(contentsOf: Data([9]))
      #expect(try input.take(1) == [9])
      // It is as long as it was read.
      for _ in 1...2 {
        if case .nothing = try input.fill() {} else { Issue.record("there is no more") }
      }
    }
  }

  @Test(arguments: ["/no/such/file", "/", ""]) func `have to be there`(path: String) {
    #expect(throws: (any Error).self) { try LiveInput.file(FilePath(path)) }
  }
}

import CaptureSources
import Foundation
import Testing

@Suite struct `Paths of files` {
  /// Whatever they are: text, octets of another character set, UTF-8 cut off, too long, or of a surrogate.
  @Test(
    arguments: [
      "a/Büro.log": Array("a/Büro.log".utf8), "a/B\\xfcro": [0x61, 0x2F, 0x42, 0xFC, 0x72, 0x6F],
      "\\xe2\\x82": [0xE2, 0x82], "\\xe2\\x82a": [0xE2, 0x82, 0x61], "\\xc0\\xaf": [0xC0, 0xAF],
      "\\xed\\xa0\\x80": [0xED, 0xA0, 0x80], "\u{FFFD}": [0xEF, 0xBF, 0xBD],
      "\\xff\u{10FEFF}": [0xFF, 0xF4, 0x8F, 0xBB, 0xBF],
      "": [],
    ] as [String: [UInt8]])
  func `are octets, and shown as text`(text: String, octets: [UInt8]) {
    let path = FilePath(octets: octets)
    #expect(path.octets == octets && path.description == text)
  }

  /// To `String`, both ways to write é are one. To a file system they are two.
  @Test func `are the same only octet for octet`() {
    #expect("\u{E9}" == "e\u{301}" && FilePath("\u{E9}") != FilePath("e\u{301}"))
    #expect(CaptureInput.rotatedPaths(["\u{E9}.last", "e\u{301}"]).count == 2)
    let pair = [FilePath(octets: [0xFC]), FilePath(octets: [0xFC] + ".last".utf8)]
    #expect(CaptureInput.rotatedPaths(pair) == [pair])
    #expect(CaptureInput.rotatedPaths([FilePath(octets: [0xFD]), pair[1]]).count == 2)
  }

  /// However they are spelled: who gives two files may have one from a listing and one from a window.
  @Test func `of a rotated pair lead to one directory`() throws {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)")
    try manager.createDirectory(at: folder.appending(path: "logs"), withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    try manager.createSymbolicLink(
      atPath: folder.appending(path: "link").path, withDestinationPath: folder.appending(path: "logs").path)
    let newer = FilePath(folder.path + "/logs/a.log")
    for directory in ["logs", "./logs", "logs//", "link", "logs/../logs"] {
      let older = FilePath("\(folder.path)/\(directory)/a.log.last")
      #expect(CaptureInput.rotatedPaths([newer, older]) == [[newer, older]])
      #expect(CaptureInput.rotatedPaths([older, newer]) == [[older, newer]])
    }
    #expect(CaptureInput.rotatedPaths([newer, FilePath(folder.path + "/a.log.last")]).count == 2)
    for (one, other) in [("a", "./a.last"), ("./a", ".//a.last"), ("/a", "//a.last"), ("a/", "a.last")] {
      #expect(CaptureInput.rotatedPaths([FilePath(one), FilePath(other)]).count == 1, "\(one), \(other)")
    }
    // Standard input is none of the directory's files.
    #expect(CaptureInput.rotatedPaths(["-", "./-.last"]).count == 2)
  }

  @Test func `are put together, taken apart and sorted`() {
    #expect(FilePath("a").appending("b") == "a/b" && FilePath("a/").appending("b") == "a/b")
    #expect(FilePath("a/\u{301}b/").name == "\u{301}b" && FilePath("/").name == "/")
    #expect(
      [FilePath(octets: [0xFC]), "ü", "z", "a/b", "a"].sorted() == ["a", "a/b", "z", "ü", FilePath(octets: [0xFC])])
    #expect(FilePath("-").isStandardInput && !FilePath("./-").isStandardInput)
  }
}

import Foundation
import TestSupport
import Testing

@testable import hrsnoop

#if os(Linux)
  /// The program in a terminal of its own, which takes keys and sends signals as a real one does.
  private struct Session {
    let terminal: PseudoTerminal
    private let process: ChildProcess

    /// Follows a file that is there already, and does not grow.
    init(
      _ path: String = Sample.named("polar-h7.btsnoop").path, columns: UInt16 = 80, arguments: [String] = [],
      fromStart: Bool = true, environment: [String: String] = [:], in folder: URL? = nil
    ) async throws {
      terminal = try #require(PseudoTerminal(columns: columns))
      process = try await ChildProcess.start(
        "/usr/bin/setsid",
        ["--ctty", "--wait", Program.path, "live", "--follow", path] + (fromStart ? ["--from-start"] : []) + arguments,
        environment: ["TERM": "xterm", "LANG": "C.UTF-8"].merging(environment) { $1 },
        in: folder, input: terminal.screen, output: terminal.screen, errors: terminal.screen)
    }

    /// Sends a signal to the program in the foreground: between it and this process may stand setsid's own.
    func signal(_ number: Int32) {
      guard let group = terminal.foregroundGroup, group > 1 else { return }
      kill(-group, number)
    }

    /// Waits for the end.
    /// - Returns: The exit code; nil if a signal ended it.
    func end() async throws -> Int32? {
      // Whoever writes more than a terminal holds waits for a reader.
      while process.isRunning {
        _ = terminal.read(atMost: 20)
        // On a busy computer others need the thread to tell that it has ended.
        try await Task.sleep(for: .milliseconds(5))
      }
      return try await process.end()
    }

    /// All that is written until the end.
    func read() async throws -> String {
      var octets: [UInt8] = []
      while process.isRunning {
        octets += terminal.read(atMost: 20)
        try await Task.sleep(for: .milliseconds(5))
      }
      while case let rest = terminal.read(atMost: 20), !rest.isEmpty { octets += rest }
      return String(decoding: octets, as: UTF8.self)
    }

    /// Has the terminal show what is typed, and take it by lines.
    func makeAsBefore() {
      var settings = termios()
      guard unsafe tcgetattr(terminal.screen.fileDescriptor, &settings) == 0 else { return }
      settings.c_lflag |= tcflag_t(ECHO | ICANON | ISIG)
      unsafe tcsetattr(terminal.screen.fileDescriptor, TCSANOW, &settings)
    }

    /// Whether the terminal shows what is typed, and takes it by lines.
    var isAsBefore: Bool {
      var settings = termios()
      guard unsafe tcgetattr(terminal.screen.fileDescriptor, &settings) == 0 else { return false }
      let wanted = tcflag_t(ECHO | ICANON | ISIG)
      return settings.c_lflag & wanted == wanted
    }
  }

  @Suite(.serialized, .timeLimit(.minutes(5))) struct `A view that fills the terminal` {
    private static let taken = "\u{1B}[?1049h"
    private static let givenBack = "\u{1B}[?25h\u{1B}[?1049l"

    @Test(arguments: ["q", "\u{3}"]) func `gives it back at a key`(key: String) async throws {
      let session = try await Session()
      #expect(session.terminal.read(until: "bpm").contains(Self.taken))
      #expect(!session.isAsBefore)
      session.terminal.press(key)
      #expect(session.terminal.read(until: Self.givenBack).contains(Self.givenBack))
      #expect(try await session.end() == 0 && session.isAsBefore)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func `gives it back after a signal`(number: Int32) async throws {
      let session = try await Session()
      _ = session.terminal.read(until: "bpm")
      session.signal(number)
      #expect(session.terminal.read(until: Self.givenBack).contains(Self.givenBack))
      #expect(try await session.end() == 0 && session.isAsBefore)
    }

    /// Nobody could tell a program to go on whose terminal is its own: then the system does not stop it.
    @Test func `gives it back to be stopped, and takes it again`() async throws {
      let session = try await Session()
      _ = session.terminal.read(until: "q quit")
      session.signal(SIGTSTP)
      let text = session.terminal.read(until: "q quit")
      let back = try #require(text.range(of: Self.givenBack))
      #expect(text[back.upperBound...].contains(Self.taken) && !session.isAsBefore)
      session.terminal.press("q")
      #expect(try await session.end() == 0 && session.isAsBefore)
    }

    /// Others had the terminal while it was stopped, and have left it in their own way.
    @Test func `takes it anew when it goes on`() async throws {
      let session = try await Session()
      _ = session.terminal.read(until: "q quit")
      session.signal(SIGSTOP)
      session.makeAsBefore()
      session.signal(SIGCONT)
      #expect(session.terminal.read(until: "q quit").contains(Self.taken))
      #expect(!session.isAsBefore)
      session.terminal.press("q")
      #expect(try await session.end() == 0)
    }

    /// What was found is still there when the view is gone.
    @Test func `leaves what was found`() async throws {
      let session = try await Session(Sample.named("malformed.btsnoop").path)
      _ = session.terminal.read(until: "bpm")
      session.terminal.press("q")
      let text = try await session.read()
      let end = try #require(text.range(of: Self.givenBack))
      #expect(text[end.upperBound...].contains("measurement-malformed: "))
      #expect(try await session.end() == 0)
    }

    /// Of very many the gravest stay, and it is said that there were others.
    @Test func `leaves the gravest of very many`() async throws {
      try await TemporaryFolder.with { folder in
        var host = HostSide()
        host.subscribe()
        host.notified([0x01, 0x48])
        for _ in 0..<104 {
          for _ in 0..<4 {
            host.wait(milliseconds: 990)
            host.notified([0x00, 0x48])
          }
          host.wait(milliseconds: 20_000)
        }
        host.notified([0x00, 0x48])
        let session = try await Session(try folder.file("many", host.file()), columns: 200)
        _ = session.terminal.read(until: "bpm")
        session.terminal.press("q")
        let text = try await session.read()
        let end = try #require(text.range(of: Self.givenBack))
        #expect(text[end.upperBound...].contains("measurement-malformed: "))
        #expect(text[end.upperBound...].contains("more, no graver than these, are not shown"))
        #expect(try await session.end() == 0)
      }
    }

    /// What was there before somebody looked was not found now.
    @Test func `leaves nothing of what was there before`() async throws {
      let session = try await Session(Sample.named("malformed.btsnoop").path, columns: 200, fromStart: false)
      _ = session.terminal.read(until: "what comes now is shown")
      session.terminal.press("q")
      let text = try await session.read()
      let end = try #require(text.range(of: Self.givenBack))
      #expect(text[end.upperBound...].contains(" records"))
      #expect(!text[end.upperBound...].contains("measurement-malformed") && !text[end.upperBound...].contains("so far"))
      #expect(try await session.end() == 0)
    }

    /// A key records, and writes over nothing.
    @Test func `records at a key`() async throws {
      try await TemporaryFolder.with { folder in
        let other = try folder.file("hrsnoop-1.btsnoop", [1])
        let session = try await Session(in: folder)
        _ = session.terminal.read(until: "bpm")
        session.terminal.press("w")
        _ = session.terminal.read(until: "hrsnoop-2.btsnoop")
        session.terminal.press("q")
        #expect(try await session.end() == 0)
        #expect(try Data(contentsOf: URL(filePath: other)) == Data([1]))
        let recorded = try Data(contentsOf: folder.appending(path: "hrsnoop-2.btsnoop"))
        #expect(try ReadCapture(Array(recorded)).formatName == "btsnoop")
      }
    }

    @Test(arguments: [
      (["--connection", "9"], "connection 9"), (["--device", "Nobody"], "a connection with Nobody"),
      (["--device", "Nobody", "--connection", "9"], "connection 9 with Nobody"),
    ])
    func `waits for what was asked for`(arguments: [String], awaited: String) async throws {
      let session = try await Session(arguments: arguments)
      #expect(session.terminal.read(until: awaited).contains(awaited))
      session.terminal.press("q")
      #expect(try await session.end() == 0)
    }

    /// Quiet means no notes: the view is the report.
    @Test func `is there in quiet too, without its notes`() async throws {
      try await TemporaryFolder.with { folder in
        for isQuiet in [false, true] {
          let file = folder.appending(path: "quiet \(isQuiet).btsnoop").path
          let session = try await Session(
            Sample.named("malformed.btsnoop").path, arguments: ["--write", file] + (isQuiet ? ["--quiet"] : []))
          #expect(session.terminal.read(until: "bpm").contains(Self.taken))
          session.terminal.press("q")
          let text = try await session.read()
          #expect(try await session.end() == 0)
          #expect(text.contains("measurement-malformed: ") && text.contains("hrsnoop: recorded ") == !isQuiet)
        }
      }
    }

    /// Of nothing, no recording is left.
    @Test func `says nothing of a recording that holds nothing`() async throws {
      try await TemporaryFolder.with { folder in
        let file = folder.appending(path: "run.btsnoop").path
        let session = try await Session(try folder.file("nothing", []), arguments: ["--write", file])
        _ = session.terminal.read(until: "q quit")
        session.terminal.press("q")
        let text = try await session.read()
        #expect(try await session.end() == 0)
        #expect(!text.contains("recorded") && !FileManager.default.fileExists(atPath: file))
      }
    }

    @Test func `gives it back before it says what is wrong`() async throws {
      try await TemporaryFolder.with { folder in
        let session = try await Session(try folder.file("photo", Array(repeating: 0xFF, count: 400_000)))
        let text = try await session.read()
        let end = try #require(text.range(of: Self.givenBack))
        let lines = text[end.upperBound...].split { $0.isNewline }
        #expect(lines.first?.hasPrefix("hrsnoop: ") == true)
        #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        #expect(try await session.end() == 2 && session.isAsBefore)
      }
    }

    @Test func `follows the terminal's size`() async throws {
      let session = try await Session()
      _ = session.terminal.read(until: "q quit")
      session.terminal.resize(columns: 160, rows: 50)
      // At this size digits are twice as large.
      #expect(session.terminal.read(until: "q quit").contains("████████████"))
      session.terminal.press("q")
      #expect(try await session.end() == 0)
    }

    /// What stays is read at the size that the terminal has then.
    @Test func `leaves lines as wide as the terminal is in the end`() async throws {
      let session = try await Session(Sample.named("malformed.btsnoop").path, columns: 160)
      _ = session.terminal.read(until: "q quit")
      session.terminal.resize(columns: 60, rows: 24)
      _ = session.terminal.read(until: "q quit")
      session.terminal.press("q")
      let text = try await session.read()
      let end = try #require(text.range(of: Self.givenBack))
      let lines = text[end.upperBound...].replacing(/\u{1B}\[[0-9;?]*[a-zA-Z]/, with: "").split { $0.isNewline }
      #expect(lines.count > 3 && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
      #expect(try await session.end() == 0)
    }

    @Test(arguments: ["LANG", "LC_CTYPE", "LC_ALL"])
    func `uses neither colours nor more than ASCII where that is not wanted`(name: String) async throws {
      let session = try await Session(environment: ["NO_COLOR": "1", name: "C"])
      let text = session.terminal.read(until: "q quit")
      #expect(text.utf8.allSatisfy { $0 < 0x80 } && !text.contains(/\u{1B}\[[0-9]*m/))
      session.terminal.press("q")
      #expect(try await session.end() == 0)
    }

    @Test(
      arguments: [(["--no-view"], "xterm"), (["--format", "ndjson"], "xterm"), ([], "dumb")] as [([String], String)])
    func `is not there where lines are wanted`(arguments: [String], terminal: String) async throws {
      let session = try await Session(arguments: arguments, environment: ["TERM": terminal])
      #expect(!session.terminal.read(until: "heart-rate").contains(Self.taken))
      session.signal(SIGINT)
      #expect(try await session.end() == 0)
    }
  }
#endif

@Suite struct `Keys` {
  @Test func `are octets and sequences`() {
    var reader = KeyReader()
    #expect(reader.keys("q".utf8) == [.character(0x71)])
    #expect(reader.keys("\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[Z".utf8) == [.up, .down, .right, .backTab])
  }

  @Test func `come in pieces`() {
    var reader = KeyReader()
    let keys = "\u{1B}[Aq\u{1B}[D".utf8.flatMap { reader.keys([$0]) }
    #expect(keys == [.up, .character(0x71), .left])
  }

  /// What is not known does not hold up what follows.
  @Test func `mean something after anything`() {
    for first in 0...255 as ClosedRange<UInt8> {
      var reader = KeyReader()
      _ = reader.keys([first, 0x1B, UInt8(ascii: "["), UInt8(ascii: "5"), UInt8(ascii: "~"), 0x1B])
      #expect(reader.keys("q".utf8) == [.character(0x71)])
    }
  }
}

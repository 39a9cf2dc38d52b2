import Foundation
import Testing
import TestSupport

@Suite struct `On a terminal` {
  private func run(
    _ arguments: [String], columns: UInt16 = 80, environment: [String: String] = ["TERM": "xterm"]
  ) async throws -> String {
    let terminal = try #require(PseudoTerminal(columns: columns))
    let outcome = try await Program.run(arguments, output: terminal.screen, environment: environment)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    return terminal.contents()
  }

  @Test func `there are colours`() async throws {
    #expect(try await run([Sample.named("polar-h7.btsnoop").path]).contains("\u{1B}[1m"))
    let turnedOff = ["NO_COLOR": "", "TERM": "xterm"]
    #expect(try await run([Sample.named("polar-h7.btsnoop").path], environment: turnedOff).contains("\u{1B}[1m"))
  }

  @Test(arguments: [["NO_COLOR": "1", "TERM": "xterm"], ["TERM": "dumb"]])
  func `there are none if the environment says so`(environment: [String: String]) async throws {
    let path = Sample.named("polar-h7.btsnoop").path
    #expect(try await !run([path], environment: environment).contains("\u{1B}"))
    #expect(try await run(["--color", "always", path], environment: environment).contains("\u{1B}[1m"))
  }

  @Test func `never means never`() async throws {
    #expect(try await !run(["--color", "never", Sample.named("polar-h7.btsnoop").path]).contains("\u{1B}"))
  }

  /// The first line is the path, which is as long as it is.
  @Test(arguments: [60, 80, 132] as [UInt16])
  func `lines fit`(columns: UInt16) async throws {
    let text = try await run(["--color", "never", Sample.named("polar-h7.btsnoop").path], columns: columns)
    let lines = text.split(separator: "\n").dropFirst()
    #expect(lines.count > 8)
    #expect(lines.allSatisfy { $0.count <= Int(columns) })
    #expect(lines.contains { $0.count > Int(columns) * 2 / 3 })
  }
}

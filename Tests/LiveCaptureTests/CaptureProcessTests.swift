import CaptureSources
import Foundation
import LiveCapture
import Testing
import TestSupport

@Suite struct `The capture program` {
  /// Lends a program that a line of shell makes.
  private func program(_ line: String, _ body: (String) throws -> Void) throws {
    try temporaryFile(Array("#!/bin/sh\n\(line)\n".utf8)) { path in
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      try body(path)
    }
  }

  private func failure(_ line: String, interface: String = "bluetooth-monitor") throws -> String {
    var message = ""
    try program(line) { path in
      var input = try LiveInput.interface(interface, program: FilePath(path))
      do {
        _ = try input.step()
      } catch let error as SourceError {
        message = error.description.replacing(path, with: "PROGRAM")
      }
    }
    return message
  }

  @Test func `is asked for an interface, and its output read`() throws {
    try program(#"printf '%s %s' "$1" "$2""#) { path in
      var input = try LiveInput.interface("bluetooth1", program: FilePath(path))
      #expect(try String(decoding: input.take(22), as: UTF8.self) == "--interface bluetooth1")
      #expect(try input.isAtEnd())
    }
  }

  /// Who has a right gets nothing from who asks but the interface.
  @Test func `gets no environment`() throws {
    try #require(ProcessInfo.processInfo.environment["HOME"] != nil)
    try program(#"printf %s "${HOME-none}""#) { path in
      var input = try LiveInput.interface("bluetooth1", program: FilePath(path))
      #expect(try String(decoding: input.take(4), as: UTF8.self) == "none")
      #expect(try input.isAtEnd())
    }
  }

  @Test func `says by its status what to do`() throws {
    #expect(
      try failure("exit 77")
        == "cannot open the HCI monitor: operation not permitted. Give the capture program the right once:  "
        + "sudo setcap cap_net_raw+ep PROGRAM")
    #expect(try failure("exit 69").contains("there is no Bluetooth in this kernel"))
    #expect(try failure("exit 66", interface: "bluetooth7").contains("bluetooth7: there is no such interface"))
    #expect(try failure("echo 'the moon is full' >&2; exit 70").contains("the moon is full"))
    #expect(try failure("exit 127").contains("there is no capture program at PROGRAM"))
    #expect(try failure("echo 'libpcap.so.0.8: not found' >&2; exit 127").hasSuffix("libpcap.so.0.8: not found"))
    #expect(try failure("exit 3").contains("status 3"))
    #expect(try failure("kill -SEGV $$").contains("signal 11"))
  }

  @Test(arguments: ["INT", "TERM", "HUP"]) func `may be told to end`(signal: String) throws {
    try program("printf x; kill -\(signal) $$") { path in
      var input = try LiveInput.interface("bluetooth-monitor", program: FilePath(path))
      #expect(try input.take(1) == Array("x".utf8))
      #expect(try input.isAtEnd())
    }
  }

  @Test func `has to be there`() {
    #expect(throws: SourceError.self) { try LiveInput.interface("bluetooth-monitor", program: "/no/such/program") }
  }

  /// Whatever this computer has, asking does no harm.
  @Test func `need not be asked for connections`() {
    for connection in SystemConnection.all() { #expect(connection.handle <= 0xEFF) }
  }
}

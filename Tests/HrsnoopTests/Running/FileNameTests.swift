import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// Names of files are octets, 0xFC for one, which is ü in ISO 8859-1 and no part of any UTF-8. Darwin's file systems take
  /// no such name.
  @Suite struct `Names that are no text` {
    /// Runs a line of shell in a folder that is taken away, where `"$0"` is the program, `"$name"` a name that is no text and
    /// `good` a capture.
    private func run(_ line: String, _ folder: URL, good octets: [UInt8]? = nil) async throws -> Outcome {
      try folder.file("good", octets ?? InputOctets.measurements(3))
      return try await Program.shell(#"cd "$1"; name=$(printf 'B\374ro'); \#(line)"#, [folder.path])
    }

    private func paths(_ outcome: Outcome) throws -> [String?]? {
      try outcome.json()["captures"]?.array?.map { $0["path"]?.string }
    }

    @Test(arguments: ["analyze", "gatt"])
    func `are read where they are given`(command: String) async throws {
      try await TemporaryFolder.with { folder in
        let outcome = try await run(#"mv good "$name"; "$0" \#(command) --format json "$name" ./"$name""#, folder)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(String(validating: outcome.octets, as: UTF8.self) != nil)
        #expect(try paths(outcome) == [#"B\xfcro"#, #"./B\xfcro"#])
      }
    }

    @Test func `are read in directories, at any depth`() async throws {
      try await TemporaryFolder.with { folder in
        let line = #"mkdir -p d/"$name"/x/"$name"; cp good d/"$name"/x/"$name"/"$name"; cp good d/"$name".log; "#
        let outcome = try await run(line + #""$0" --format json d d/"$name""#, folder)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let deep = #"d/B\xfcro/x/B\xfcro/B\xfcro"#
        #expect(try paths(outcome) == [deep, #"d/B\xfcro.log"#, deep])
      }
    }

    /// Two names that differ in what is no text only are two files, and no pair with one another's.
    @Test func `are rotated pairs octet for octet`() async throws {
      try await TemporaryFolder.with { folder in
        let line = #"""
          other=$(printf 'B\375ro'); mkdir d; cp good d/"$name"; cp good d/"$name".last; cp good d/"$other".last
          "$0" --format json d; "$0" --format json d/"$name" d/"$name".last d/"$other".last > again
          """#
        let outcome = try await run(line, folder)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let captures = try #require(try outcome.json()["captures"]?.array)
        #expect(captures.map { $0["path"]?.string } == [#"d/B\xfcro"#, #"d/B\xfdro.last"#])
        #expect(captures.first?["members"]?.array == [.string(#"B\xfcro.last"#), .string(#"B\xfcro"#)])
        #expect(try Data(contentsOf: folder.appending(path: "again")) == outcome.octets)
      }
    }

    @Test(arguments: ["analyze", "timeline", "gatt", "diff"])
    func `are shown as text where people look`(command: String) async throws {
      try await TemporaryFolder.with { folder in
        let line = #"mv good "$name"; "$0" \#(command) "$name" ./"$name" no/"$name""#
        let outcome = try await run(line, folder, good: InputOctets.sensor(named: Array("Polar".utf8)))
        #expect(outcome.status == 2)
        #expect(outcome.errorLines == [#"hrsnoop: no/B\xfcro: there is no such file"#])
        #expect(String(validating: outcome.octets, as: UTF8.self) != nil)
        #expect(outcome.output.contains(#"B\xfcro"#) && !outcome.output.contains("\u{FFFD}"))
      }
    }

    @Test func `are written to`() async throws {
      try await TemporaryFolder.with { folder in
        let line = #""$0" good > plain; "$0" good -o "$name"; cmp "$name" plain && "$0" good --output="no/$name""#
        let outcome = try await run(line, folder)
        #expect(outcome.status == 2 && outcome.octets.isEmpty)
        #expect(outcome.errors.hasPrefix(#"hrsnoop: no/B\xfcro: cannot be written"#))
      }
    }

    @Test func `are recorded into`() async throws {
      try await TemporaryFolder.with { folder in
        let line = #""$0" live --quiet --write "$name".pcap - < good > /dev/null && "$0" --format json "$name".pcap"#
        let outcome = try await run(line, folder)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let capture = try #require(try outcome.json()["captures"]?.array?.first)
        #expect(capture["path"] == .string(#"B\xfcro.pcap"#) && capture["format"] == .string("pcap"))
      }
    }

    @Test func `are read for what is known beforehand`() async throws {
      try await TemporaryFolder.with { folder in
        let line = #""$0" gatt --format json good > map; mv map "$name"; "$0" --gatt-map "$name" good > /dev/null"#
        let outcome = try await run(line + #" && "$0" --gatt-map no"$name" good"#, folder)
        #expect(outcome.status == 2 && outcome.errorLines == [#"hrsnoop: noB\xfcro: there is no such file"#])
      }
    }

    @Test func `are told from sensors in diff`() async throws {
      try await TemporaryFolder.with { folder in
        let line = #"mv good "$name"; "$0" diff --format json "$name":1 --group "g=$name:Polar,$name""#
        let outcome = try await run(line, folder, good: InputOctets.sensor(named: Array("Polar".utf8)))
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let sides = try outcome.json()["sides"]?.array
        #expect(sides?.map { $0["path"]?.string } == [#"B\xfcro"#, #"B\xfcro"#])
      }
    }

    /// What stands for octets within the program is a character that somebody may have used.
    @Test func `are not mistaken for one another`() async throws {
      try await TemporaryFolder.with { folder in
        let name = "B\u{10FEFC}ro"
        let outcome = try await run(#"mv good "\#(name)"; "$0" --format json "\#(name)"; "$0" "$name""#, folder)
        #expect(outcome.status == 2 && outcome.errorLines == [#"hrsnoop: B\xfcro: there is no such file"#])
        #expect(try paths(outcome) == [name])
      }
    }

    /// A sensor's name is compared as it always was: both with U+FFFD for what is no text.
    @Test func `of sensors are found`() async throws {
      try await TemporaryFolder.with { folder in
        let sensor = InputOctets.sensor(named: [0x42, 0xFC, 0x72, 0x6F])
        let outcome = try await run(#""$0" --device "$name" --format json good"#, folder, good: sensor)
        #expect(try outcome.json()["captures"]?.array?.first?["connections"]?.array?.count == 1)
      }
    }

    @Test func `in wrong usage are shown as text`() async throws {
      try await TemporaryFolder.with { folder in
        let outcome = try await run(#""$0" explain "$name" "$name""#, folder)
        #expect(outcome.status == 64 && outcome.errors.contains("B\u{FFFD}ro"))
      }
    }
  }
#endif

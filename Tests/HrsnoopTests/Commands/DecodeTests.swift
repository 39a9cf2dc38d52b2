import Testing

@Suite struct `decode` {
  /// A value in different writings.
  @Test(arguments: [
    ["2A37", "16 48 e8 03"], ["2A37", "1648E803"], ["2a37", "16", "48", "e8", "03"], ["0x2A37", "16:48:e8:03"],
    ["0X2A37", "0X16 0x48E803"],
    ["2A37", "0x16,0x48,0xe8,0x03"], ["00002A37-0000-1000-8000-00805F9B34FB", "16-48-e8-03"],
  ])
  func `a measurement`(arguments: [String]) async throws {
    let outcome = try await Program.run(["decode"] + arguments)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(
      outcome.output == """
        2A37 Heart Rate Measurement
          Flags                         0x16
          Heart Rate Measurement Value  72 bpm
          Sensor Contact                detected
          RR-Interval                   1000 (976.563 ms)

        """)
  }

  @Test(arguments: [
    ("2A38", "01", "Chest"), ("2A38", "05", "Ear Lobe"), ("2A19", "57", "87 %"),
    ("2A39", "01", "Reset Energy Expended"),
    ("2902", "0100", "notification"), ("2A37", "09 2c 01 0a 00", "300 bpm"), ("2A37", "09 2c 01 0a 00", "10 kJ"),
    ("2A37", "e0 48", "0xE0, with reserved bits"), ("2A29", "506f6c6172", "Polar"),
    ("2A04", "06000c0000009001", "4000 ms"),
  ])
  func `other values`(uuid: String, octets: String, word: String) async throws {
    let outcome = try await Program.run(["decode", uuid, octets])
    #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output.contains(word))
  }

  /// What can be read is shown, what cannot is told with its place.
  @Test(arguments: [
    ("2A37", "16", "detected", "octet 1"), ("2A37", "16 48 e8", "72 bpm", "RR-Interval"),
    ("2A37", "16 48", "72 bpm", "RR-Interval"), ("2A37", "16 48", "0x16", "RR-Interval"), ("2A37", "", "2A37", "Flags"),
    ("2A19", "ff", "2A19", "255"),
    ("2A19", "5757", "2A19", "Battery Level"),
  ])
  func `a broken value`(uuid: String, octets: String, shown: String, told: String) async throws {
    let outcome = try await Program.run(["decode", uuid, octets])
    #expect(outcome.status == 2 && outcome.errorLines.count == 1)
    #expect(outcome.output.contains(shown) && outcome.errors.contains(told))
    #expect(outcome.errors.hasPrefix("hrsnoop: ") && outcome.errors.contains("(octet "))
  }

  @Test(arguments: ["ABCD", "180D", "12345678-1234-1234-1234-123456789ABC"])
  func `a value that it does not know`(uuid: String) async throws {
    let outcome = try await Program.run(["decode", uuid, "00"])
    #expect(outcome.status == 2 && outcome.errorLines.count == 1)
    #expect(outcome.errors.contains(uuid) && outcome.errors.contains("2A37 Heart Rate Measurement"))
  }

  /// What was forgotten is not taken for a value without octets, which is written as one.
  @Test func `no value`() async throws {
    let missing = try await Program.run(["decode", "2A29"])
    #expect(missing.status == 64 && missing.output.isEmpty && missing.errors.contains("<hex>"), "\(missing.errors)")
    let empty = try await Program.run(["decode", "2A29", ""])
    #expect(empty.status == 0 && empty.errors.isEmpty && empty.output.hasPrefix("2A29 "))
  }

  /// Half an octet is told as people count.
  @Test func `an odd digit`() async throws {
    let outcome = try await Program.run(["decode", "2A37", "1"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("'1' has 1 hexadecimal digit:"))
  }

  /// Octets are written apart from each other, and no digit of one goes to the next.
  @Test(arguments: [["6", "48", "8"], ["6 48 8"], ["164", "8e8"]]) func `odd digits that are even together`(
    octets: [String]
  ) async throws {
    let outcome = try await Program.run(["decode", "2A37"] + octets)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("'\(octets.count == 2 ? "164" : "6")' has"))
  }

  @Test func `text from the air is shown, not obeyed`() async throws {
    let outcome = try await Program.run(["decode", "2A00", "1b 5b 33 31 6d 0a 41 9b"])
    #expect(outcome.status == 0)
    #expect(outcome.output.unicodeScalars.allSatisfy { $0 == "\n" || !Hostile.isForbidden($0) })
    #expect(outcome.lines.count == 2)
  }
}

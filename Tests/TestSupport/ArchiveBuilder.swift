internal import CArchive

/// Packs archives, as phones and people do.
package struct ArchiveBuilder {
  /// How the members lie in it.
  package enum Format: Sendable { case zip, tar }
  /// How it is compressed as a whole.
  package enum Compression: String, CaseIterable, Sendable { case none, gzip, bzip2, xz, zstd }

  private var members: [Member] = []
  package var format = Format.zip
  package var compression = Compression.none
  /// Whether a zip's members are stored as they are.
  package var isStored = false
  /// The password of a zip's members.
  package var password: String?

  private struct Member {
    let name: String
    let octets: [UInt8]
    /// What is stored of it, between holes; nothing if it has none.
    var pieces: [Range<Int>] = []
  }

  package init(_ format: Format = .zip, _ compression: Compression = .none, password: String? = nil) {
    (self.format, self.compression, self.password) = (format, compression, password)
  }

  /// Adds a member.
  /// - Parameter pieces: What a tar stores of it, where it has holes.
  package mutating func add(_ name: String, _ octets: [UInt8], pieces: [Range<Int>] = []) {
    members.append(Member(name: name, octets: octets, pieces: pieces))
  }

  /// An archive of these members.
  package static func zip(_ members: KeyValuePairs<String, [UInt8]>) -> [UInt8] {
    var builder = ArchiveBuilder()
    for (name, octets) in members { builder.add(name, octets) }
    return builder.octets
  }

  /// The packed octets.
  package var octets: [UInt8] {
    unsafe Self.written { archive in
      switch format {
      case .zip: unsafe archive_write_set_format_zip(archive)
      case .tar: unsafe archive_write_set_format_pax_restricted(archive)
      }
      unsafe Self.add(compression, to: archive)
      if isStored { unsafe archive_write_set_options(archive, "zip:compression=store") }
      if let password {
        unsafe archive_write_set_options(archive, "zip:encryption=zipcrypt")
        unsafe archive_write_set_passphrase(archive, password)
      }
    } members: {
      members
    }
  }

  /// One file, compressed.
  package static func compressed(_ octets: [UInt8], _ compression: Compression = .gzip) -> [UInt8] {
    unsafe written { archive in
      unsafe archive_write_set_format_raw(archive)
      unsafe add(compression, to: archive)
    } members: {
      [Member(name: "data", octets: octets)]
    }
  }

  private static func add(_ compression: Compression, to archive: OpaquePointer) {
    switch compression {
    case .none: unsafe archive_write_add_filter_none(archive)
    case .gzip: unsafe archive_write_add_filter_gzip(archive)
    case .bzip2: unsafe archive_write_add_filter_bzip2(archive)
    case .xz: unsafe archive_write_add_filter_xz(archive)
    case .zstd: unsafe archive_write_add_filter_zstd(archive)
    }
  }

  private static func written(
    _ prepare: (OpaquePointer) -> Void, members: () -> [Member]
  ) -> [UInt8] {
    guard let archive = unsafe archive_write_new() else { fatalError("no memory") }
    defer { unsafe archive_write_free(archive) }
    unsafe prepare(archive)
    let members = members()
    let room = members.reduce(1 << 16) { $0 + $1.octets.count + 4096 }
    var packed = [UInt8](repeating: 0, count: room)
    var used = 0
    let status = unsafe packed.withUnsafeMutableBytes { space -> Int32 in
      unsafe archive_write_open_memory(archive, space.baseAddress, space.count, &used)
      for member in members {
        let entry = unsafe archive_entry_new()
        defer { unsafe archive_entry_free(entry) }
        unsafe archive_entry_set_pathname(entry, member.name)
        unsafe archive_entry_set_size(entry, Int64(member.octets.count))
        unsafe archive_entry_set_filetype(entry, 0o100000)
        unsafe archive_entry_set_perm(entry, 0o644)
        for piece in member.pieces {
          unsafe archive_entry_sparse_add_entry(entry, Int64(piece.lowerBound), Int64(piece.count))
        }
        guard unsafe archive_write_header(archive, entry) == ARCHIVE_OK else { return ARCHIVE_FATAL }
        unsafe archive_write_data(archive, member.octets, member.octets.count)
      }
      return unsafe archive_write_close(archive)
    }
    guard status == ARCHIVE_OK else {
      fatalError(unsafe String(cString: archive_error_string(archive)))
    }
    return Array(packed.prefix(used))
  }
}

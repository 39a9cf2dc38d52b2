/// A connection handle, and the adapter whose it is.
struct AdapterHandle: Hashable, Sendable {
  let adapter: UInt16
  let handle: UInt16
}

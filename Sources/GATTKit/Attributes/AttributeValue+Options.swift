extension AttributeValue where Self: OptionSet, Element == Self {
  // Without it, `[]` would be octets of which some are missing, where it stands for no option.
  /// All of some options; no option if there are none.
  public init(_ options: [Self]) { self = options.reduce(into: []) { $0.formUnion($1) } }
}

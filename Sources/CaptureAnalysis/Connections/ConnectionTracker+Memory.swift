import CaptureFiles

// What is remembered of connections takes only so much memory, however a capture was made.

extension ConnectionTracker {
  /// As many connections as are remembered: those that last, and of each handle the last one that has ended. No controller
  /// has as many at once.
  static var mostLinks: Int { 2048 }

  /// In seconds: a connection of which nothing is heard for longer may have ended unseen.
  static var longestSilence: Double { 60 }

  /// Whether there is room for another connection. Where there is none, those are forgotten that have ended, or may have.
  @inline(never)
  mutating func hasRoom() -> Bool {
    guard links.count >= Self.mostLinks else { return true }
    // To look again and again for a few would take too long, for each packet of those that find none as well.
    guard (context.frame &- looked).magnitude > Self.mostLinks / 4 else { return false }
    let isPast = links.map { link in
      link.closedAt == nil
        ? context.time.seconds(since: link.heardAt) > Self.longestSilence : !link.isOpen(at: context.time)
    }
    guard isPast.count(where: \.self) > Self.mostLinks / 4 else {
      looked = context.frame
      return false
    }
    for place in links.indices {
      guard isPast[place] else {
        // All that stay will be awake.
        learn(place)
        continue
      }
      if links[place].closedAt == nil { close(place, reason: nil) }
      hadData = hadData || links[place].hasData
      links[place].release(&context)
    }
    links = links.indices.filter { !isPast[$0] }.map { links[$0] }
    table = ConnectionTable()
    for (place, link) in links.enumerated() { table.insert(link.adapter, link.handle, place: place) }
    opened = Set(links.indices)
    return true
  }

  /// In octets: real connections leave a few hundred unfinished at a time.
  private static var mostUnfinished: Int { 4 << 20 }
  /// Attributes that connections have told of: as many as servers have that are known.
  private static var mostTold: Int { DatabaseShelf.mostAttributes }
  /// How many octets of a file go by from one look to the next.
  private static var pace: Int { 2 << 20 }

  /// Gives up what is unfinished where it takes too much memory, as if records were missing; and where attributes without
  /// end are told of, which of them were.
  /// - Parameter octets: How far the file at hand has been read.
  mutating func limitMemory(at octets: Int) {
    guard octets < memorySeen || octets - memorySeen > Self.pace else { return }
    memorySeen = octets
    if links.reduce(0, { $0 + $1.memory }) > Self.mostUnfinished {
      noteLoss(isDamage: true)
      for place in links.indices { learn(place) }
    }
    guard links.reduce(0, { $0 + $1.channels.toldAttributes }) > Self.mostTold else { return }
    for place in links.indices { links[place].channels.forgetTold() }
  }
}

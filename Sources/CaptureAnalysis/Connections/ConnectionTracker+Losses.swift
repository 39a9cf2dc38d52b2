import BluetoothHost
import CaptureFiles

// Where records are missing, or may be, what was unfinished may stay so; and a connection may have ended unseen, and
// another one have been made on its handle.

extension ConnectionTracker {
  /// Records were lost: what is unfinished behind damage stays so. Of those that the capture itself lost nobody can tell
  /// whether they were a part of it.
  /// - Parameter adapter: The adapter whose they were; nil if they may be any one's.
  mutating func noteLoss(isDamage: Bool, on adapter: UInt16? = nil) {
    advertisers.noteLoss()
    forgetCommands(on: adapter)
    interrupt(by: isDamage ? .damage : .loss, on: adapter)
  }

  /// Nobody knows what became of the commands that hosts have given their controllers.
  /// - Parameter adapter: The adapter of which that holds; nil for all.
  mutating func forgetCommands(on adapter: UInt16? = nil) {
    acceptLists.noteLoss(on: adapter)
    commands.noteLoss(on: adapter)
  }

  /// Something was said, or a connection ended, of which too little is left to tell on which it was.
  mutating func noteHidden() { interrupt(by: .loss) }

  /// Records may be missing in which connections ended, and others began. It is said of each where that was so, once what
  /// came behind has told it.
  /// - Parameters:
  ///   - missing: How many are; of more than hide that, not how many more.
  ///   - adapter: The adapter whose they are; nil if they may be any one's.
  mutating func noteHole(missing: Int, on adapter: UInt16? = nil) {
    let ends = context.knowledge.lostEnds[context.place] ?? []
    for place in ends.compactMap({ place($0.handle.adapter, $0.handle.handle) }).sorted() { endUnseen(place) }
    // Where no events are logged, neither would be in the capture.
    interrupt(by: .hole(missing: hasEvents ? missing : Hole.leastMissing), on: adapter)
  }

  /// A connection has ended, and that is not in the capture.
  private mutating func endUnseen(_ place: Int) {
    replaced.insert(links[place].adapterHandle)
    close(place, reason: nil)
    links[place].endInHole()
  }

  /// What comes now may be of another file, though nothing but its time says so.
  mutating func noteOtherFile() {
    forgetCommands()
    noteHole(missing: Hole.leastMissing)
  }

  /// Something befalls all connections, or those of an adapter. Those that were looked for since the last time learn of it
  /// at once.
  mutating func interrupt(by kind: Interruptions.Kind, on adapter: UInt16? = nil) {
    interruptions.note(kind, on: adapter, at: context.moment)
    for place in table.sleep() { learn(place) }
  }

  /// The last link with a handle, open or not.
  @inline(__always)
  mutating func lastPlace(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    table.awake(adapter, handle) ?? wake(adapter, handle)
  }

  /// One that is asleep learns first what it has missed, or that it is over.
  @inline(never)
  private mutating func wake(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    let key = AdapterHandle(adapter: adapter, handle: handle)
    let endsUnseen = context.knowledge.endsUnseen(key)
    guard let place = endsUnseen ? table.place(adapter, handle) : table.wake(adapter, handle) else { return nil }
    learn(place)
    links[place].channels.signs.noteHeard(at: context.time)
    guard endsUnseen, links[place].closedAt == nil else { return place }
    if context.knowledge.endsUnseen(key, at: context.place) { endUnseen(place) }
    return place
  }

  /// A connection learns what has befallen it since it did so last.
  mutating func learn(_ place: Int) {
    let known = links[place].interruptions
    let interruptions = interruptions.of(links[place].adapter)
    guard known.count < interruptions.known.count else { return }
    links[place].interruptions = interruptions.known
    // How long it was silent around a hole cannot be told where the clock leapt behind that.
    let isHoleFirst = interruptions.hole?.number ?? 0 < interruptions.clockStep?.number ?? 0
    if isHoleFirst { learnHole(place, known, of: interruptions) }
    learnLosses(place, known, of: interruptions)
    learnClockSteps(place, known, of: interruptions)
    if !isHoleFirst { learnHole(place, known, of: interruptions) }
  }

  private mutating func learnLosses(_ place: Int, _ known: Interruptions.Known, of interruptions: Interruptions) {
    for (last, isDamage) in [(interruptions.damage, true), (interruptions.loss, false)] {
      guard let last, !known.contains(last) else { continue }
      // What waits was asked before.
      links[place].channels.tellQuiet(&context)
      tellUnlogged(place)
      if isDamage { links[place].noteLoss(at: last.moment.time) } else { links[place].noteDrop(at: last.moment.time) }
      guard links[place].closedAt == nil else { continue }
      context.tell(.dialogue(.lost), connection: links[place].id, at: last.moment)
    }
  }

  private mutating func learnClockSteps(_ place: Int, _ known: Interruptions.Known, of interruptions: Interruptions) {
    guard let last = interruptions.clockStep, !known.contains(last) else { return }
    links[place].channels.tellQuiet(&context)
    links[place].noteClockStep()
    guard links[place].closedAt == nil else { return }
    let leap = interruptions.known.leap &- known.leap
    context.tell(.dialogue(.clockStep(microseconds: leap)), connection: links[place].id, at: last.moment)
  }

  private mutating func learnHole(_ place: Int, _ known: Interruptions.Known, of interruptions: Interruptions) {
    guard let last = interruptions.hole, !known.contains(last), links[place].closedAt == nil else { return }
    let end = LostEnd(handle: links[place].adapterHandle, record: last.moment.place)
    let missing = interruptions.known.missing &- known.missing
    let hole = Hole(end, missing: missing, heardAt: links[place].heardAt, at: last.moment.time)
    links[place].channels.tellQuiet(&context)
    links[place].channels.gatt.note(hole)
  }
}

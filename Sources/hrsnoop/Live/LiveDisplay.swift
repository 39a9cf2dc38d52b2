import CaptureAnalysis
import CaptureReports
import LiveCapture

/// Who shows what happens while it happens: lines for people, lines for programs, or a view that fills the screen.
///
/// It is called from one loop, which waits when there is nothing to do. Events and findings come in batches, as they are
/// read; `refresh` follows each batch and, where a display asks for it, each pause.
protocol LiveDisplay: AnyObject {
  /// The events that must be made: those that are shown, and those that help to show them.
  var selection: EventSelection { get }
  /// Where keys come from; nil if nobody presses any.
  var keys: Int32? { get }
  /// How long nothing may happen until `refresh` is called all the same; nil: for ever.
  var patience: Duration? { get }

  /// The first packet is there.
  func begin(_ start: CaptureStart)
  /// Something happened. What came before now, as a followed file may tell it, is `past`: it is there to be known, not
  /// to be told.
  func show(_ event: Event, isPast: Bool)
  /// A rule has found something.
  func show(_ finding: Finding, isPast: Bool)
  /// Something about the capture itself, such as that its source is gone.
  func say(_ sentence: String)
  /// What was to be done cannot be, such as a recording: that is said however quiet it is to be.
  func complain(_ sentence: String)
  /// Something about the capture that is of interest only now.
  func remark(_ sentence: String)
  /// Keys were pressed.
  /// - Returns: What they ask for.
  func takeKeys() -> [LiveRequest]
  /// The terminal has another size.
  func resize()
  /// The program is to stop: the terminal is given back until it goes on.
  func suspend()
  /// The program goes on: the terminal is not as it was.
  func resume()
  /// Shows all that has been told until now.
  /// - Parameter facts: What the capture is like so far.
  func refresh(_ status: LiveStatus, _ facts: CaptureFacts)
  /// The capture ends: the screen is given back.
  /// - Parameter facts: What it was like; nil if there was none.
  func end(_ facts: CaptureFacts?)
}

/// What a display may ask for.
enum LiveRequest {
  /// The end.
  case quit
  /// To record from now on, into a new file.
  case record
}

extension LiveDisplay {
  var keys: Int32? { nil }
  var patience: Duration? { nil }
  func remark(_ sentence: String) { say(sentence) }
  func takeKeys() -> [LiveRequest] { [] }
  func resize() {}
  func suspend() {}
  func resume() {}
}

import BluetoothHost
import CaptureFiles
import Octets

/// Looks for channels of Enhanced ATT whose opening is not in the capture, as where they are older than it. Nothing says
/// what goes over a channel then but what goes over it: K-frames that hold requests and what answers them, or values of
/// the same attributes again and again.
struct EarlierChannels {
  /// What went one way with one number.
  private struct Stream {
    let number: ChannelID
    let direction: Direction
    /// The number by which the other end's requests came that were answered here.
    var partner: ChannelID?
    /// The last request that has not been answered.
    var waiting: (opcode: ATTOpcode, handle: UInt16)?
    /// The attributes that have notified.
    var notifying: [UInt16] = []
    /// How much here speaks for ATT, since its channel was found last.
    var signs = 0
    /// How many values came of attributes that are known to notify, since then.
    var known = 0
    /// How many frames were something else.
    var misfits = 0
  }

  private var streams: [Stream] = []
  /// The local numbers of channels whose other end has not been heard.
  private var halves: [ChannelID] = []

  /// A link has few channels; a file with more is made to exhaust memory.
  private static let most = 32
  /// How much on the whole link speaks for ATT. Where channels are found to be ATT's, others that look alike are so too: it
  /// stays then, and less is needed of each.
  private var signs = 0
  /// One sign may be chance: another protocol has requests and answers too.
  private static let enough = 3
  /// One value may be late, of a channel that is closed.
  private static let enoughKnown = 2
  private static let mostNotifying = 8
  /// A channel that has carried so much else is another protocol's. A long value comes in many pieces, each of which may
  /// be anything.
  private static let mostMisfits = 128
  /// A link that has carried so much else, and nothing that looks like ATT, is one for music.
  private static let mostOther = 128
  /// How many frames in a row were no ATT PDU.
  private var others = 0

  /// Whether nothing is to be found.
  var isVain: Bool { others > Self.mostOther }

  /// Looks at a frame of a channel that is not known.
  /// - Parameter isKnown: Whether it would be a value of an attribute that is known to notify: hardly any other protocol
  ///   says that twice by chance.
  /// - Returns: The channel, once enough speaks for ATT.
  mutating func look(
    at frame: CapturedOctets, on number: ChannelID, _ direction: Direction, isKnown: Bool
  ) -> ChannelPair? {
    others += 1
    guard let place = place(of: number, direction), streams[place].misfits < Self.mostMisfits else { return nil }
    let sdu = frame.wholeSDU
    guard let opcode = sdu.opcode, sdu.mayBeATT else {
      // A whole SDU that is none of ATT's is another protocol's; a piece of one may be anything.
      if sdu.length > 0, !frame.isCut { dismiss(place) } else { streams[place].misfits += 1 }
      return nil
    }
    others = 0
    if opcode.isRequest {
      streams[place].waiting = (opcode, sdu.uint16(at: 1))
    } else if opcode.isResponse || opcode == .errorResponse {
      answered(sdu, opcode, place)
    } else if opcode.isNotification || opcode == .handleValueIndication {
      notified(sdu.uint16(at: 1), place, isKnown: isKnown)
    } else if opcode == .handleValueConfirmation, direction == .sent, halves.count == 1 {
      // Of what the peer has indicated: over the one channel that was heard.
      return ChannelPair(local: halves.removeFirst(), remote: number)
    }
    return isEvident(place) ? adopt(place) : nil
  }

  /// Whether enough speaks for ATT: signs on the link, and one of them here; or values that hardly any other protocol has.
  private func isEvident(_ place: Int) -> Bool {
    signs >= Self.enough && streams[place].signs > 0 || streams[place].known >= Self.enoughKnown
  }

  /// What looks like a response speaks for ATT if there is a request for it.
  private mutating func answered(_ pdu: CapturedOctets, _ opcode: ATTOpcode, _ place: Int) {
    guard let asked = takeRequest(answeredBy: pdu, streams[place].direction) else { return }
    streams[place].partner = asked
    switch opcode {
    // What is read or written may be anything.
    case .readResponse, .readBlobResponse, .readMultipleResponse, .readMultipleVariableResponse, .writeResponse,
      .prepareWriteResponse, .executeWriteResponse:
      note(signs: 1, place)
    // What is discovered has a form of its own, and so have errors.
    default: note(signs: 2, place)
    }
  }

  /// It is another protocol's: what seemed to speak for ATT was chance.
  private mutating func dismiss(_ place: Int) {
    signs -= streams[place].signs
    streams[place].signs = 0
    streams[place].misfits = Self.mostMisfits
  }

  private mutating func note(signs count: Int, _ place: Int) {
    streams[place].signs += count
    signs += count
  }

  /// An attribute that notifies again, here or on another channel, is one.
  private mutating func notified(_ handle: UInt16, _ place: Int, isKnown: Bool) {
    if isKnown { streams[place].known += 1 }
    if streams.contains(where: { $0.direction == streams[place].direction && $0.notifying.contains(handle) }) {
      note(signs: 1, place)
    }
    guard streams[place].notifying.count < Self.mostNotifying, !streams[place].notifying.contains(handle) else {
      return
    }
    streams[place].notifying.append(handle)
  }

  /// Looks at a frame of a channel of which only this end was known: it may answer what went to the other.
  /// - Returns: The channel, if it does.
  mutating func complete(_ number: ChannelID, with frame: CapturedOctets) -> ChannelPair? {
    guard let half = halves.firstIndex(of: number) else { return nil }
    let sdu = frame.wholeSDU
    guard sdu.mayBeATT, let asked = takeRequest(answeredBy: sdu, .received) else { return nil }
    halves.remove(at: half)
    return ChannelPair(local: number, remote: asked)
  }

  private mutating func place(of number: ChannelID, _ direction: Direction) -> Int? {
    if let place = streams.firstIndex(where: { $0.number == number && $0.direction == direction }) { return place }
    guard streams.count < Self.most else { return nil }
    streams.append(Stream(number: number, direction: direction))
    return streams.count - 1
  }

  /// The number by which the request came that a PDU answers, if it answers one.
  private mutating func takeRequest(answeredBy pdu: CapturedOctets, _ direction: Direction) -> ChannelID? {
    let isError = pdu.octets[0] == ATTOpcode.errorResponse.rawValue
    let opcode = ATTOpcode(rawValue: isError ? pdu.octets[1] : pdu.octets[0] &- 1)
    let asked = streams.firstIndex { $0.direction != direction && $0.waiting?.opcode == opcode }
    guard let asked, !isError || pdu.uint16(at: 2) == streams[asked].waiting?.handle else { return nil }
    streams[asked].waiting = nil
    return streams[asked].number
  }

  /// Which number the other end gave a channel is told by what is answered; as long as only one is in use, it is that.
  private mutating func adopt(_ place: Int) -> ChannelPair {
    let stream = streams[place]
    let others = streams.filter { $0.direction != stream.direction && $0.misfits == 0 }
    let isAlone = !streams.contains { $0.direction == stream.direction && $0.number != stream.number }
    let isOnlyOne = isAlone && others.count == 1 && halves.isEmpty
    let other = stream.partner ?? (isOnlyOne ? others[0].number : nil)
    // That it was found is no reason to find it again.
    streams[place].signs = 0
    streams[place].known = 0
    guard stream.direction == .received else {
      return ChannelPair(local: other ?? Self.unheard, remote: stream.number)
    }
    if other == nil, halves.count < Self.most { halves.append(stream.number) }
    return ChannelPair(local: stream.number, remote: other ?? Self.unheard)
  }

  /// No dynamic channel's number.
  private static let unheard = ChannelID(rawValue: 0)
}

extension CapturedOctets {
  /// Whether a whole SDU has the length that an ATT PDU with its first octet has, and, where it has elements of one length,
  /// whether they fill it; false if what is needed of it was cut away. Core 6.0, Vol 3, Part F, 3.4.
  fileprivate var mayBeATT: Bool {
    switch opcode {
    case .errorResponse: return length == 5 && octets.count >= 4
    case .findInformationRequest, .readBlobRequest: return length == 5 && octets.count >= 3
    // Types have 2 octets or 16.
    case .readByTypeRequest, .readByGroupTypeRequest: return (length == 7 || length == 21) && octets.count >= 3
    case .readRequest: return length == 3 && octets.count == 3
    case .findInformationResponse:
      return length >= 6 && octets.count >= 2 && (length - 2) % (octets[1] == 1 ? 4 : 18) == 0
    case .findByTypeValueResponse: return length >= 5 && (length - 1) % 4 == 0
    case .readByTypeResponse, .readByGroupTypeResponse:
      return octets.count >= 2 && octets[1] >= 3 && length > 2 && (length - 2) % Int(octets[1]) == 0
    case .writeResponse, .executeWriteResponse, .handleValueConfirmation: return length == 1
    case .executeWriteRequest: return length == 2
    case .findByTypeValueRequest, .readMultipleRequest, .readMultipleVariableRequest, .writeRequest,
      .prepareWriteRequest, .handleValueNotification, .handleValueIndication, .multipleHandleValueNotification:
      return octets.count >= 3
    case .readResponse, .readBlobResponse, .readMultipleResponse, .prepareWriteResponse,
      .readMultipleVariableResponse:
      return true
    case .writeCommand: return length >= 3
    case .signedWriteCommand: return length >= 15
    default: return false
    }
  }

  /// The number at an offset; 0 if it is not all there.
  fileprivate func uint16(at offset: Int) -> UInt16 {
    OctetWindow(octets, count: offset + 2)?.uint16(at: offset) ?? 0
  }
}

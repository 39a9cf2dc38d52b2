import CaptureAnalysis
import CaptureFiles

/// The systems from which captures come, and how to get a full log from each.
public enum LoggingSystem: CaseIterable, Sendable {
  case android
  case iOS
  case macOS
  case linux
  case windows

  var name: String {
    switch self {
    case .android: "Android"
    case .iOS: "iOS"
    case .macOS: "macOS"
    case .linux: "Linux"
    case .windows: "Windows"
    }
  }

  /// Something to do: a sentence, and the command that does it, on a line of its own to be copied.
  struct Step {
    let text: String
    let command: String?

    init(_ text: String, _ command: String? = nil) {
      self.text = text
      self.command = command
    }
  }

  /// What to do, step by step.
  var steps: [Step] {
    switch self {
    // source.android.com, Verifying and debugging; and the mode that the snoop logger calls "full".
    case .android:
      [
        Step(
          "Switch on the developer options, and in them set \"Enable Bluetooth HCI snoop log\" to Enabled: neither "
            + "Disabled nor Filtered."),
        Step("Switch Bluetooth off and on again: the full log begins then."),
        Step(
          "Connect the sensor and do what goes wrong. A phone that knows the sensor does not discover it again; remove "
            + "it from the phone first if the discovery matters."),
        Step(
          "Take a bug report, in the developer options or from a computer. The log in it is btsnoop_hci.log, as a rule "
            + "under FS/data/misc/bluetooth/logs.", "adb bugreport"),
      ]
    // Apple's instructions that come with the profile.
    case .iOS:
      [
        Step(
          "On the device, install the Bluetooth logging profile from "
            + "developer.apple.com/bug-reporting/profiles-and-logs. It expires after some days."),
        Step("Connect the sensor and do what goes wrong; note the time."),
        Step(
          "Soon after, press both volume buttons and the side or top button together and let go: an iPhone vibrates "
            + "shortly. Wait ten minutes."),
        Step(
          "Send sysdiagnose_….tar.gz to a computer, from the analytics data in the privacy settings. The log in it is a "
            + "PacketLogger file (.pklg)."),
      ]
    case .macOS:
      [
        Step(
          "Get \"Additional Tools for Xcode\" from developer.apple.com/download/all. PacketLogger is in its Hardware "
            + "folder."),
        Step("Start PacketLogger, connect the sensor and do what goes wrong."),
        Step("Save the log from PacketLogger's File menu as a .pklg file."),
      ]
    case .linux:
      [
        Step("Before the sensor connects, start BlueZ's monitor:", "sudo btmon -w capture.btsnoop"),
        Step("Connect the sensor and do what goes wrong; end btmon with Control-C."),
      ]
    // learn.microsoft.com, Bluetooth Test Platform; github.com/microsoft/busiotools, bluetooth/tracing.
    case .windows:
      [
        Step(
          "Get BluetoothStack.wprp from github.com/microsoft/busiotools, and as administrator start:",
          "wpr -start BluetoothStack.wprp!BluetoothStack -filemode"),
        Step("Connect the sensor and do what goes wrong; then:", "wpr -stop trace.etl"),
        Step(
          "Convert the trace with a tool of Microsoft's Bluetooth Test Platform:",
          "btetlparse -pcapng capture.pcapng trace.etl"),
        Step(
          "Or watch it live with another tool of that package, with \"Full Packet Logging\" on, and save from Wireshark:",
          "btvs -Mode Wireshark"),
      ]
    }
  }
}

extension LoggingSystem {
  /// The systems that a capture may come from, as far as its format tells: none where it does not.
  static func guesses(_ facts: CaptureFacts) -> [LoggingSystem] {
    if facts.linkTypes.contains(where: \.tellsAdapter) { return [.linux] }
    switch facts.format {
    case "btsnoop", "btsnooz": return [.android]
    case "packetlogger": return [.iOS, .macOS]
    default: return []
    }
  }
}

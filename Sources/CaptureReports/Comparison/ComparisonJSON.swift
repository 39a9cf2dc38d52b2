import BluetoothHost
import CaptureAnalysis

/// `diff --format json`: the schema `hrsnoop.diff/1`.
struct ComparisonJSON {
  let context: ReportContext

  typealias Failure = ComparisonFormat.Failure

  func write(_ comparison: Comparison, _ unread: [Failure], _ failures: [Failure], into buffer: ReportBuffer) {
    JSONWriter.document("hrsnoop.diff/1", context, into: buffer) { json in
      json.array("sides") { json in
        for side in comparison.sides { write(side, &json) }
        for failure in unread { write(failure, &json) }
      }
      json.array("failures") { json in
        for failure in failures { write(failure, &json) }
      }
      json.value("differs", comparison.sides.count > 1 ? comparison.differs : nil)
      json.array("aspects") { json in
        if comparison.sides.count > 1 {
          for aspect in comparison.aspects { write(aspect, unread: unread.count, &json) }
        }
      }
      json.array("shared_connections") { json in
        for shared in comparison.shared { write(shared, &json) }
      }
    }
  }

  private func write(_ failure: Failure, _ json: inout JSONWriter) {
    json.object(inline: true) { json in
      json.value("path", failure.path)
      json.value("error", failure.message)
    }
  }

  private func write(_ side: SensorBehaviour, _ json: inout JSONWriter) {
    json.object { json in
      json.value("title", side.title)
      json.value("path", side.connections.first?.capture.path)
      // One connection as a number; of several, all.
      json.value("connection", side.connections.count == 1 ? side.connections.first?.summary.id : nil)
      json.array("connections", inline: true) { json in
        for connection in side.connections {
          json.object { json in
            json.value("path", connection.capture.path)
            json.members(connection.capture.memberNames)
            json.value("connection", connection.summary.id)
          }
        }
      }
      json.peer(side.address, side.sensor, identity: side.identity)
      if let traits = side.traits { json.profile(of: traits, context.profiles) } else { json.null("profile") }
    }
  }

  /// - Parameter unread: How many sides could not be read: of each, nothing is known.
  private func write(_ aspect: AspectComparison, unread: Int, _ json: inout JSONWriter) {
    json.object { json in
      json.value("aspect", aspect.name)
      json.value("differs", aspect.differs)
      json.array("values", inline: true) { json in
        for value in aspect.values { json.value(nil, value) }
        for _ in 0..<unread { json.null(nil) }
      }
      json.value("note", aspect.note)
      if !aspect.parts.isEmpty {
        json.array("parts") { json in
          for part in aspect.parts {
            json.object(inline: true) { json in
              json.value("part", part.title)
              json.array("values") { json in
                for value in part.values { json.value(nil, value) }
                for _ in 0..<unread { json.null(nil) }
              }
            }
          }
        }
      }
    }
  }

  private func write(_ shared: SharedConnection, _ json: inout JSONWriter) {
    json.object { json in
      json.list("sides", [shared.sides.first, shared.sides.second]) { $0.write($1) }
      let connections = [shared.connections.first, shared.connections.second]
      json.list("connections", connections.map(\.summary.id)) { $0.write($1) }
      json.object("clock", inline: true) { json in
        json.value("offset_s", shared.clock.offset, decimals: 6)
        json.value("uncertainty_s", shared.clock.uncertainty, decimals: 6)
        json.value("drift_ppm", shared.clock.drift, decimals: 1)
      }
      json.value("matched", shared.matched)
      json.value("longest_delay_s", shared.longestDelay, decimals: 3)
      json.array("only") { json in
        for lone in [shared.lone.first, shared.lone.second] {
          json.array { json in
            for measurement in lone { json.object(inline: true) { json in json.measurement(measurement) } }
          }
        }
      }
    }
  }
}

import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit

/// `analyze --format json`: the schema `hrsnoop.analysis/1`.
struct AnalysisJSON {
  let context: ReportContext

  func write(_ captures: [AnalyzedCapture], into buffer: ReportBuffer) {
    JSONWriter.document("hrsnoop.analysis/1", context, of: captures, into: buffer) { summary, json in
      write(summary.facts, &json)
      json.array("connections") { json in
        for connection in summary.connections { write(connection, of: summary, &json) }
      }
      if summary.unlistedConnections > 0 { json.value("unlisted_connections", summary.unlistedConnections) }
      if !summary.hiddenConnections.isEmpty { json.value("hidden_connections", summary.hiddenConnections.count) }
      json.array("unconnected_sensors") { json in
        for sensor in summary.unconnectedAdvertisers { json.object(inline: true) { $0.keys(of: sensor) } }
      }
      json.array("findings") { json in
        for finding in summary.findings { write(finding, &json) }
      }
    }
  }

  private func write(_ facts: CaptureFacts, _ json: inout JSONWriter) {
    json.value("format", facts.format)
    json.value("link_type", facts.linkTypeName)
    json.value("records", facts.records)
    json.value("first_time", facts.firstTime)
    json.value("last_time", facts.lastTime)
    json.clock(of: facts)
    json.value("complete", facts.isComplete)
    json.value("skipped_octets", facts.skippedOctets)
    json.value("truncated_records", facts.truncatedRecords)
    json.value("dropped_records", facts.droppedRecords)
  }

  private func write(_ finding: Finding, _ json: inout JSONWriter) {
    json.object(inline: true) { json in
      json.keys(of: finding)
      json.list("causes", finding.causes) { $0.write($1) }
    }
  }
}

// MARK: - Connections

extension AnalysisJSON {
  private func write(_ connection: ConnectionSummary, of summary: CaptureSummary, _ json: inout JSONWriter) {
    json.object { json in
      json.value("id", connection.id)
      json.value("diagnosis", StoryText.sentence(summary.story(of: connection), tellsFrames: false).words)
      json.value("handle", connection.handle)
      json.value("adapter", connection.adapter)
      json.value("transport", connection.isLowEnergy.map { $0 ? "le" : "br/edr" })
      json.value("role", connection.role?.name)
      json.peer(connection.address, connection.peer, identity: connection.identity)
      json.profile(of: summary.traits(of: connection), context.profiles)
      json.moment("opened", connection.wasOpened ? connection.first : nil)
      writeEnd(connection, &json)
      json.array("parameters") { json in
        for change in connection.parameters { write(change, &json) }
      }
      json.value("att_mtu", connection.mtu)
      write(connection.enhanced, &json)
      json.value("encrypted", connection.encryption)
      json.value("server", connection.server.name)
      json.services("services", connection.services(connection.server))
      if let session = connection.heartRate {
        write(session, connection, as: "heart_rate", &json)
      } else {
        json.null("heart_rate")
      }
      if let session = connection.otherHeartRate { write(session, connection, as: "other_heart_rate", &json) }
      json.array("candidates") { json in
        for candidate in connection.candidates { write(candidate, &json) }
      }
    }
  }

  private func writeEnd(_ connection: ConnectionSummary, _ json: inout JSONWriter) {
    guard let closed = connection.closed else { return json.null("closed") }
    json.object("closed", inline: true) { json in
      json.keys(of: closed)
      json.keys(of: connection.end)
    }
  }

  private func write(_ enhanced: BearerMTUs, _ json: inout JSONWriter) {
    guard let mtu = enhanced.range else { return }
    json.object("enhanced_bearers", inline: true) { json in
      json.value("count", enhanced.count)
      json.object("att_mtu", inline: true) { json in
        json.value("min", mtu.lowerBound)
        json.value("max", mtu.upperBound)
      }
    }
  }

  private func write(_ change: ConnectionSummary.Parameters, _ json: inout JSONWriter) {
    json.object(inline: true) { json in
      json.keys(of: change.moment)
      json.keys(of: change.parameters)
    }
  }
}

// MARK: - Heart rate

extension AnalysisJSON {
  private func write(
    _ session: HeartRateSession, _ connection: ConnectionSummary, as key: StaticString, _ json: inout JSONWriter
  ) {
    json.object(key) { json in
      if session.server != connection.server { json.value("server", session.server.name) }
      json.value("measurement_handle", session.measurementHandle)
      let handles = session.handles.all
      if handles.count > 1 { json.list("measurement_handles", handles) { $0.write($1) } }
      json.value("cccd_handle", session.configurationHandle)
      json.value("location_handle", session.locationHandle)
      json.moment("subscribed", session.subscribed)
      if let off = session.switchedOff {
        json.object("switched_off", inline: true) { json in
          json.value("count", off.count)
          json.moment("first", off.first)
          json.moment("again", off.again)
        }
      }
      json.value("provenance", session.provenance)
      json.value("confidence", session.inference?.confidence ?? 1, decimals: session.inference == nil ? 1 : 4)
      json.array("evidence", of: session.inference?.evidence ?? [])
      if let location = connection.location(of: session)?.location {
        json.object("location", inline: true) { json in
          json.value("value", location.rawValue)
          json.value("name", location.name)
        }
      } else {
        json.null("location")
      }
      json.array("measurements") { json in
        for measurement in session.measurements {
          json.object(inline: true) { json in
            json.measurement(measurement)
            if measurement.handle != session.measurementHandle { json.value("handle", measurement.handle) }
          }
        }
      }
      write(session.statistics, toFirst: connection.secondsToFirstMeasurement(of: session), &json)
    }
  }

  private func write(_ candidate: Inference, _ json: inout JSONWriter) {
    json.object { json in
      json.value("handle", candidate.handle)
      json.value("server", candidate.server.name)
      json.value("confidence", candidate.confidence, decimals: 4)
      json.array("evidence", of: candidate.evidence)
    }
  }

  private func write(_ statistics: HeartRateStatistics, toFirst: Double?, _ json: inout JSONWriter) {
    json.object("summary") { json in
      json.value("measurements", statistics.measurements)
      json.value("malformed", statistics.malformed)
      json.value("duration_s", statistics.hasTimes ? statistics.duration : nil, decimals: 3)
      json.value("rate_hz", statistics.rate, decimals: 3)
      let rate = statistics.beatsPerMinute
      json.object("bpm", inline: true) { json in
        json.value("min", rate.count > 0 ? rate.least : nil)
        json.value("mean", rate.mean, decimals: 1)
        json.value("max", rate.count > 0 ? rate.most : nil)
        for (name, part) in [("p5", 0.05), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p95", 0.95)]
          as [(StaticString, Double)]
        {
          json.value(name, statistics.quantile(part))
        }
        // A rate of 0 stands for none.
        if statistics.withoutRate > 0 {
          json.value("without_rate", statistics.withoutRate)
          json.value("mean_of_others", statistics.meanOfRates, decimals: 1)
        }
      }
      let intervals = statistics.intervals
      json.object("rr", inline: true) { json in
        json.value("count", intervals.count)
        json.keys(of: intervals)
      }
      let corrected = statistics.corrected
      json.object("rr_corrected", inline: true) { json in
        json.value("method", "Malik 20 %")
        json.value("artefacts", corrected.artefacts)
        json.value("count", corrected.statistics.known)
        json.keys(of: corrected.statistics)
      }
      json.value("rr_coverage", statistics.coverage, decimals: 3)
      json.value("contact_share", statistics.contactShare, decimals: 3)
      json.value("period_s", statistics.period, decimals: 3)
      json.value("gaps", statistics.gaps)
      json.value(
        "longest_gap_s", statistics.measurements > 1 && statistics.hasTimes ? statistics.longestGap : nil, decimals: 3)
      json.value("to_first_measurement_s", toFirst, decimals: 3)
    }
  }
}

extension JSONWriter {
  /// What there is to say of a finding.
  mutating func keys(of finding: Finding) {
    value("rule", finding.rule)
    value("severity", finding.severity.rawValue)
    value("connection", finding.connection)
    value("frame", finding.frame)
    if let member = finding.member { value("member", member) }
    value("last_frame", finding.lastFrame)
    if let member = finding.lastMember { value("last_member", member) }
    value("time", finding.time)
    value("count", finding.count)
    value("message", finding.message)
    value("reference", finding.reference)
  }

  /// The mean of intervals between beats, and how they vary.
  fileprivate mutating func keys(of intervals: IntervalStatistics) {
    value("mean_ms", intervals.meanMilliseconds, decimals: 3)
    value("sdnn_ms", intervals.sdnn, decimals: 3)
    value("rmssd_ms", intervals.rmssd, decimals: 3)
    value("pnn50", intervals.pnn50, decimals: 4)
  }
}

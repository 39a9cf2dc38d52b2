import FuzzSupport
import GATTKit
import Octets

private typealias Reading = HeartRateMeasurement.Reading

/// A heart rate measurement: strict and lax reading agree, what is encoded is what was decoded, and a value that a
/// capture cut says nothing that the whole value does not say.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeartRate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe withInput(start, count) { input in
    let octets = input.extracting(first: 1024)
    let whole = Reading(lax: octets, length: octets.count)
    checkStrict(octets, whole)
    for kept in 0..<min(octets.count, 40) {
      checkCut(Reading(lax: octets.extracting(first: kept), length: octets.count), kept, whole)
    }
  }
  return 0
}

private func checkStrict(_ octets: Span<UInt8>, _ lax: Reading) {
  check(lax.isMalformed == (lax.error != nil), "isMalformed and error disagree")
  check(!lax.isCut, "a whole value is cut")
  do throws(ParsingError) {
    let strict = try HeartRateMeasurement(octets)
    check(lax.whole == strict, "lax \(String(describing: lax.whole)), strict \(strict)")
    check(lax.beatsPerMinute == strict.beatsPerMinute && lax.contact == strict.contact, "the fields differ")
    check(lax.energyExpended == strict.energyExpended && lax.rrIntervals == strict.rrIntervals, "the fields differ")
    checkEncoding(octets, strict)
  } catch {
    check(lax.whole == nil, "strict: \(error); lax: nothing wrong")
    check(lax.error?.description == error.description, "strict: \(error); lax: \(lax.error?.description ?? "nothing")")
    check(lax.error?.offset == error.offset, "strict: octet \(error.offset); lax: \(lax.error?.offset ?? -1)")
  }
}

private func checkEncoding(_ octets: Span<UInt8>, _ measurement: HeartRateMeasurement) {
  let encoded = measurement.encoded()
  check(encoded.count == octets.count, "\(octets.count) octets are encoded as \(encoded.count)")
  for index in octets.indices { check(encoded[index] == octets[index], "octet \(index) is encoded otherwise") }
  // The fields alone make the same measurement; its flags may only differ where they say nothing.
  let rebuilt = HeartRateMeasurement(
    beatsPerMinute: measurement.beatsPerMinute, contact: measurement.contact,
    energyExpended: measurement.energyExpended, rrIntervals: RRIntervals(Array(measurement.rrIntervals)))
  let read = try? HeartRateMeasurement(rebuilt.encoded())
  check(read == rebuilt, "\(rebuilt) is read back as \(String(describing: read))")
  check(read?.rrIntervals == measurement.rrIntervals, "the intervals differ")
  check(measurement.fields.allSatisfy { !$0.name.isEmpty && !$0.value.isEmpty }, "a field without words")
}

private func checkCut(_ cut: Reading, _ kept: Int, _ whole: Reading) {
  check(cut.isCut, "a cut value is whole")
  check(cut.whole == nil, "a cut value is a whole measurement")
  guard kept > 0 else {
    check(cut.flags == nil && cut.rrCount == nil && cut.error == nil, "something is known of nothing")
    return
  }
  check(cut.error == whole.error, "the cut changes what is wrong")
  check(cut.rrCount == whole.rrCount, "the cut changes the number of intervals")
  check(cut.contact == whole.contact, "the cut changes the contact")
  if let rate = cut.beatsPerMinute { check(rate == whole.beatsPerMinute, "the cut changes the rate") }
  if let energy = cut.energyExpended { check(energy == whole.energyExpended, "the cut changes the energy") }
  check(Array(whole.keptRRIntervals).starts(with: Array(cut.keptRRIntervals)), "the cut changes the intervals")
}

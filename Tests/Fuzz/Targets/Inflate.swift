// Compressed messages. An input is one knob, the limit, and a payload.
//
// Promises: an inflater that was used before, for good or bad, answers as a new one. The limit is exact. The message
// that was read, and the payload itself, come back from every compressor.

import Deflate

func fuzzInflate(_ bytes: [UInt8]) throws(Finding) {
  guard let input = FuzzInput(bytes, knobs: 1) else { return }
  let limit = [0, 1, 30, 1000, 70_000, 1 << 20][Int(input.knobs[0]) % 6]
  let used = Inflater()
  let first = inflate(input.stream, limit, used)
  try promiseEqual(inflate(input.stream, limit, used), first, "the second reading")
  try promiseEqual(inflate(input.stream, limit, Inflater()), first, "a new inflater's reading")
  switch first {
  case .success(let message):
    try promise(message.count <= limit, "\(message.count) bytes, and \(limit) were allowed")
    try checkLimit(input.stream, message, used)
    try checkRoundTrip(message, used)
  case .failure(.tooLong):
    if case .success(let message) = inflate(input.stream, limit + 300, used) {
      try promise(message.count > limit, "refused as too long, and it is not")
    }
  case .failure(.broken):
    try promiseEqual(inflate(input.stream, 1 << 22, used), first, "the same with another limit")
  }
  try checkRoundTrip(input.stream, used)
}

private func inflate(
  _ payload: [UInt8], _ limit: Int, _ inflater: Inflater
) -> Result<[UInt8], InflateFault> {
  Result { () throws(InflateFault) in try inflater.inflate(payload.span, bytesMax: limit) }
}

private func checkLimit(
  _ payload: [UInt8], _ message: [UInt8], _ inflater: Inflater
) throws(Finding) {
  let exact = inflate(payload, message.count, inflater)
  try promiseEqual(exact, .success(message), "with just enough room")
  guard !message.isEmpty else { return }
  try promiseEqual(
    inflate(payload, message.count - 1, inflater), .failure(.tooLong), "with a byte too little")
}

private func checkRoundTrip(_ message: [UInt8], _ inflater: Inflater) throws(Finding) {
  for window in DeflateWindow.allCases {
    var payload: [UInt8] = []
    Deflater(window: window).compress(message.span, to: &payload)
    try promiseEqual(inflate(payload, message.count, inflater), .success(message), "\(window)")
  }
}

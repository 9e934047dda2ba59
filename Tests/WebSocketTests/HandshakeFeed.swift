import WebSocket

/// How a server sees the bytes of one request.
enum Reading: Hashable {
  /// The head, and how many bytes were left behind it in the pieces.
  case head([UInt8], left: Int)
  case fault(HTTPFault)
  case unfinished
}

/// Feeds pieces to a head reader until it has a head or refuses.
func reading(of pieces: [ArraySlice<UInt8>], limits: HTTPLimits = HTTPLimits()) -> Reading {
  var reader = HTTPHeadReader(limits: limits)
  for (index, piece) in pieces.enumerated() {
    let bytes = [0x0A, 0x0D] + piece + [0x0A, 0x0D]
    var position = 2
    do throws(HTTPFault) {
      if let head = try reader.next(in: bytes.span, at: &position, end: piece.count + 2) {
        let later = pieces[(index + 1)...].reduce(0) { $0 + $1.count }
        return .head(head, left: later + piece.count + 2 - position)
      }
    } catch {
      return .fault(error)
    }
    precondition(position == piece.count + 2)
  }
  return .unfinished
}

/// The whole way of a request: what the server answers, status first, or the upgrade.
enum Answer: Hashable {
  case upgrade(Upgrade)
  case reply(HTTPReply)
  case unfinished
}

func answer(
  to pieces: [ArraySlice<UInt8>], subprotocols: Subprotocols = .none,
  limits: HTTPLimits = HTTPLimits()
) -> Answer {
  switch reading(of: pieces, limits: limits) {
  case .unfinished: return .unfinished
  case .fault(let fault): return .reply(.refusal(fault))
  case .head(let head, _):
    do throws(HTTPFault) {
      let request = try HTTPRequest(head: head, limits: limits)
      switch request.upgrade(subprotocols: subprotocols) {
      case .accepted(let upgrade): return .upgrade(upgrade)
      case .refused(let reply): return .reply(reply)
      }
    } catch {
      return .reply(.refusal(error))
    }
  }
}

/// Lines with CR LF after each, and an empty one.
func head(_ lines: [String]) -> [UInt8] {
  Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
}

func request(_ lines: String...) throws(HTTPFault) -> HTTPRequest {
  try HTTPRequest(head: head(lines))
}

func text(_ write: (inout [UInt8]) -> Void) -> String {
  var output: [UInt8] = []
  write(&output)
  return String(decoding: output, as: UTF8.self)
}

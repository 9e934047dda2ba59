// A calendar program asks over HTTP for a category (protocol §5.14): `GET /calendar/CODE.ics`. The code is that of a
// link (`link.make`) and a secret: it stands in no log, and no answer may be kept by anybody between.

internal import Calendar
internal import Domain
internal import Sync
internal import WebSocket

/// The request of a calendar program.
struct CalendarRequest: Sendable {
  static let path = "/calendar/"

  let code: String
  /// The category that the code names. The store says whether it is a code.
  let category: CategoryID
  /// The mark of the answer that the program has already. Nil when it has none.
  let known: String?

  /// Reads a request. Nil when the path is not that of a calendar.
  init?(_ head: HTTPRequest) {
    guard head.path.hasPrefix(CalendarRequest.path), head.path.hasSuffix(CalendarRequest.suffix)
    else { return nil }
    let code = String(
      head.path.dropFirst(CalendarRequest.path.count).dropLast(CalendarRequest.suffix.count))
    guard code.utf8.count <= Limits.codeBytesMax, let place = Codes.place(of: code) else {
      return nil
    }
    self.code = code
    category = CategoryID(place)
    known = CalendarRequest.mark(head.values("if-none-match"))
  }

  /// Reads If-None-Match (RFC 9110 §13.1.2), with the marks that this server gives: they are compared weakly, and the
  /// first of several counts, because programs send one.
  private static func mark(_ values: [String]) -> String? {
    guard let first = values.first?.split(separator: ",").first?.filter({ $0 != " " }) else {
      return nil
    }
    let bare = first.hasPrefix("W/") ? first.dropFirst(2) : first[...]
    guard bare.count > 2, bare.hasPrefix("\""), bare.hasSuffix("\"") else { return nil }
    return String(bare.dropFirst().dropLast())
  }

  func reply(_ answer: CalendarAnswer) -> HTTPReply {
    switch answer {
    case .nothing: CalendarRequest.nothing
    case .limited(let milliseconds):
      .text(
        .tooManyRequests, "This calendar is asked for too often.",
        fields: [.init("Retry-After", "\((milliseconds + 999) / 1_000)")])
    case .unchanged(let mark):
      HTTPReply(.notModified, fields: CalendarRequest.fields(mark))
    case .made(let text, let mark):
      HTTPReply(
        .ok,
        fields: [.init("Content-Type", "text/calendar; charset=utf-8")]
          + CalendarRequest.fields(mark),
        body: text)
    }
  }

  static let nothing = HTTPReply.text(
    .notFound, "There is no calendar here, or its link has ended.")

  static let unavailable = HTTPReply.text(
    .unavailable, "This does not work at the moment.",
    fields: [.init("Retry-After", "\(ServerLimits.unavailableMilliseconds / 1_000 + 1)")])

  private static let suffix = ".ics"

  private static func fields(_ mark: String) -> [HTTPReply.Field] {
    [.init("ETag", "\"\(mark)\""), .init("Cache-Control", "private, no-cache")]
  }
}

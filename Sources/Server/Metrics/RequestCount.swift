internal import Domain
internal import Net
internal import Sync
internal import Wire

/// The answers of one kind: to this method, granted or with this error. There are as many as methods times kinds, both
/// closed lists. Any other word that a client sends as a method counts as unknown.
struct RequestCount: RawRepresentable, CaseIterable, Sendable {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  init(_ answered: Answered) {
    let method = answered.method.map { RequestCount.places[$0] ?? 0 } ?? 0
    let error = answered.error.map { RequestCount.errorPlaces[$0] ?? 0 } ?? 0
    rawValue = method * (RequestCount.errors.count + 1) + error
  }

  /// The method, such as `post.add`, or `unknown`.
  var method: String {
    let index = rawValue / (RequestCount.errors.count + 1)
    return index == 0 ? "unknown" : RequestCount.methods[index - 1].name
  }

  /// The outcome: `ok`, or the kind of the error.
  var outcome: String {
    let index = rawValue % (RequestCount.errors.count + 1)
    return index == 0 ? "ok" : RequestCount.errors[index - 1].rawValue
  }

  /// Whether it has a line before it happened: it is the good outcome of a known method.
  var isExpected: Bool { outcome == "ok" && method != "unknown" }

  static let allCases = (0..<(methods.count + 1) * (errors.count + 1)).map {
    RequestCount(rawValue: $0)
  }

  private static let methods = Method.allCases
  private static let errors = ErrorKind.allCases
  /// The places from 1 on; 0 is for a method that is none.
  private static let places = Dictionary(
    uniqueKeysWithValues: methods.enumerated().map { ($1, $0 + 1) })
  private static let errorPlaces = Dictionary(
    uniqueKeysWithValues: errors.enumerated().map { ($1, $0 + 1) })
}

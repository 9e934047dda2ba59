internal import Domain
internal import Net
internal import Sync
internal import Wire

/// Answers of one kind: to this method, granted or with this error. As many as methods times kinds, both
/// closed lists; whatever else somebody calls a method is none of them.
struct RequestCount: RawRepresentable, CaseIterable, Sendable {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  init(_ answered: Answered) {
    let method = answered.method.map { RequestCount.places[$0] ?? 0 } ?? 0
    let error = answered.error.map { RequestCount.errorPlaces[$0] ?? 0 } ?? 0
    rawValue = method * (RequestCount.errors.count + 1) + error
  }

  /// `post.add`, or `unknown`.
  var method: String {
    let index = rawValue / (RequestCount.errors.count + 1)
    return index == 0 ? "unknown" : RequestCount.methods[index - 1].rawValue
  }

  /// `ok`, or the kind of the error.
  var outcome: String {
    let index = rawValue % (RequestCount.errors.count + 1)
    return index == 0 ? "ok" : RequestCount.errors[index - 1].rawValue
  }

  /// Worth a line before it happened: the good outcome of a method that there is.
  var isExpected: Bool { outcome == "ok" && method != "unknown" }

  static let allCases = (0..<(methods.count + 1) * (errors.count + 1)).map {
    RequestCount(rawValue: $0)
  }

  private static let methods = Method.allCases
  private static let errors = ErrorKind.allCases
  /// From 1; 0 is for what is none.
  private static let places = Dictionary(
    uniqueKeysWithValues: methods.enumerated().map { ($1, $0 + 1) })
  private static let errorPlaces = Dictionary(
    uniqueKeysWithValues: errors.enumerated().map { ($1, $0 + 1) })
}

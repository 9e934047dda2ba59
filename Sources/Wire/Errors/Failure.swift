package import Domain

/// Why a request gets an error answer. Its kind, sentence and data are in one table
/// (`Failure+Answer.swift`, protocol §11).
package enum Failure: Error, Equatable, Sendable {
  /// Not JSON as this protocol takes it.
  case parse(JSONError)
  /// JSON, but not a request.
  case invalidRequest(EnvelopeFault)
  case unknownMethod
  case refused(Refusal)
  /// Only `hello`, `account.register`, `account.login`, `account.recover` and `ping` come before `hello`.
  case helloFirst
  /// Unknown name or wrong password or recovery code; the same words for all.
  case credentials
  case rateLimited(afterMilliseconds: Int)
  /// The store is away, full or read-only; nothing has changed.
  case unavailable(afterMilliseconds: Int)
  /// The commit's result is not known; the same key settles it.
  case unknownOutcome
  case draining
  /// Our fault; the log knows more.
  case `internal`
}

/// A message that cannot be handled, with the id to answer to and the method, when
/// they could be read.
package struct RequestError: Error, Equatable, Sendable {
  package let id: RequestID?
  package let method: Method?
  package let failure: Failure

  package init(id: RequestID?, method: Method? = nil, failure: Failure) {
    self.id = id
    self.method = method
    self.failure = failure
  }
}

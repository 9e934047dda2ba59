package import Domain

/// The reason why a request gets an error answer. Its kind, sentence and data are in one table (`Failure+Answer.swift`,
/// protocol §11).
package enum Failure: Error, Equatable, Sendable {
  /// The message is not JSON as this protocol accepts it.
  case parse(JSONError)
  /// The message is JSON, but no request.
  case invalidRequest(EnvelopeFault)
  /// There is no such method. Holds those that have the same first word ("post").
  case unknownMethod([Method] = [])
  case refused(Refusal)
  /// The request may not come before `hello`. Only `ping`, `server.about`, `account.register`, `account.login`,
  /// `account.recover`, `account.pair` and `account.guest` may.
  case helloFirst
  /// The name is unknown, or the password or recovery code is wrong. The sentence is the same for all of them.
  case credentials
  case rateLimited(afterMilliseconds: Int)
  /// The store is away, full or read-only. Nothing has changed.
  case unavailable(afterMilliseconds: Int)
  /// The result of the commit is not known. Asking again with the same key settles it.
  case unknownOutcome
  case draining
  /// The server has a fault, which its log describes.
  case `internal`
}

/// A message that cannot be handled, with the id to answer to and the method, when these could be read.
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

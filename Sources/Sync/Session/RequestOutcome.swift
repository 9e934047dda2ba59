package import Domain
package import Wire

/// The outcome of a dispatched request.
package enum RequestOutcome: Equatable, Sendable {
  case done(CommandResult)
  case registered(RegisterResult)
  case signedIn(LoginResult)
  case recovered(RecoverResult)
  case pairing(PairingResult)
  case loggedOut
  /// `identity` is that of the connection from now on. `followsAll` says whether it gets new streams by itself.
  case welcome(HelloResult, Identity, followsAll: Bool, [Attachment])
  /// The token is not valid, or its session has ended.
  case unwelcome
  case opened([StreamStatus], [Attachment])
  /// A report of something that holds for a moment was taken.
  case noted
  /// The whole answer to a query, encoded where it was read.
  case answer([UInt8])
  case failed(Failure)

  /// The kind of the error; nil when the request was granted.
  package var error: ErrorKind? {
    switch self {
    case .failed(let failure): failure.kind
    case .unwelcome: .unauthenticated
    case .done, .registered, .signedIn, .recovered, .loggedOut, .welcome, .opened, .noted, .answer,
      .pairing:
      nil
    }
  }

  /// Returns the answer to the request of this id, as the bytes of one text message.
  func encoded(_ id: RequestID) -> [UInt8] {
    switch self {
    case .done(let result): Answer.command(id, result)
    case .registered(let result): Answer.register(id, result)
    case .signedIn(let result): Answer.login(id, result)
    case .recovered(let result): Answer.recover(id, result)
    case .pairing(let result): Answer.pairing(id, result)
    case .loggedOut, .noted: Answer.done(id)
    case .welcome(let result, _, _, _): Answer.hello(id, result)
    case .unwelcome: Answer.error(id, .refused(.unauthenticated))
    case .opened(let streams, _): Answer.open(id, streams)
    case .answer(let bytes): bytes
    case .failed(let failure): Answer.error(id, failure)
    }
  }
}

package import Net
package import Sync
package import Wire

/// The reason why something asked of a client has no result.
package enum ClientError: Error, Equatable, Sendable {
  /// The server said no. Nothing has changed.
  case refused(ServerError)
  /// The connection was lost before the answer to a login came: ask again.
  case lost
  /// The client is signed out, or the server will not talk with this program.
  case ended(EndReason)
  /// The answer did not come within the time. A change that was asked for may still happen; the client goes on trying.
  case timedOut
  /// There is no connection, and waiting does not help.
  case unconnected(Disconnection)
  /// The file with the authorities to trust cannot be used. The text is a sentence.
  case authorities(String)
  /// The text is no address of a server; the error says so in a sentence.
  case address(String)
  /// Nothing more can be queued, because so much waits to be sent, or was refused and lies there.
  case queueFull
  /// No thread or no descriptor was left.
  case machine(NetError)
  /// The state folder could not be used. The text is a sentence.
  case folder(String)

  init(_ failure: RequestFailure) {
    switch failure {
    case .refused(let error): self = .refused(error)
    case .lost: self = .lost
    case .ended(let reason): self = .ended(reason)
    }
  }
}

extension ClientError: CustomStringConvertible {
  /// One sentence for a person.
  package var description: String {
    switch self {
    case .refused(let error): error.sentence
    case .lost: "the connection was lost; try again"
    case .ended(.signedOut): "signed out; please log in again"
    case .ended(.rejected(let code)): "the server refused this program (close code \(code))"
    case .ended(.unreadable): "the server said something that this program cannot read"
    case .timedOut: "no answer in time"
    case .unconnected(let why): why.words
    case .address(let sentence), .folder(let sentence), .authorities(let sentence): sentence
    case .queueFull: "too much is waiting to be sent; nothing more can be added until it is"
    case .machine(let error): "\(error)"
    }
  }
}

extension Disconnection {
  /// The reason in a few words for a person.
  package var words: String {
    switch self {
    case .closed(let code): "the server closed the connection (\(code))"
    case .refused(let status): "the server refused the connection (HTTP \(status))"
    case .lost: "the connection was lost"
    case .unreachable: "no server answers there"
    case .untrusted(let why): why.words
    }
  }
}

extension Distrust {
  fileprivate var words: String {
    switch self {
    case .unknownAuthority:
      "the server's certificate comes from no authority that is trusted here (--ca-file FILE for one of your own)"
    case .wrongName: "the server's certificate is for another name than this address"
    case .expired: "the server's certificate has expired (or this machine's clock is wrong)"
    case .notYetValid:
      "the server's certificate is not valid yet (or this machine's clock is wrong)"
    case .plaintext: "what answers there does not speak TLS, as wss:// wants"
    case .encrypted:
      "what answers there takes no unencrypted connection: try wss:// instead of ws://"
    case .other(let sentence): sentence
    }
  }
}

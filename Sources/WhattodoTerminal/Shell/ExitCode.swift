import Client
import Sync
import Wire

/// The outcomes that a script can tell apart.
enum ExitCode: Int32 {
  case done = 0
  /// The server or the local copies refused; nothing has changed.
  case refused = 1
  case usage = 2
  /// There was no connection, no answer in time, or an answer that does not know; a change may have been made.
  case noConnection = 3
  case notSignedIn = 4
  /// The previous time was completed within the last minute. Nothing has changed; `--again` completes the next one.
  case doneJustNow = 5
  /// A person would have to be asked; nothing was sent.
  case unanswered = 6
  /// The server takes it later: there were too many requests, or its store is away. Nothing of it has changed.
  case later = 7

  init(_ error: ClientError) {
    switch error {
    case .refused(let error) where error.kind == .unauthenticated: self = .notSignedIn
    case .refused(let error):
      switch error.retry {
      case .no: self = .refused
      case .after, .reconnect: self = .later
      // The change may have been made.
      case .now: self = .noConnection
      }
    case .queueFull: self = .refused
    case .lost, .unconnected, .timedOut, .machine: self = .noConnection
    case .ended(.signedOut): self = .notSignedIn
    case .ended(.rejected(_)), .ended(.unreadable): self = .noConnection
    case .address, .authorities, .folder: self = .usage
    }
  }
}

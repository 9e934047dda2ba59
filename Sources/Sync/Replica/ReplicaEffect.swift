package import Domain
package import Wire

/// An order to the program, or news for it; effects are carried out in sequence.
package enum ReplicaEffect: Sendable {
  /// Make a connection; `opened` or `closed` is called then.
  case connect
  /// Send this text message; when it holds a secret (`Request.hasSecret`), never compressed.
  case send([UInt8], hasSecret: Bool)
  /// Close the connection, if there is one; nothing of it is reported any more.
  case close
  /// Close the connection; `closed` is called with `.lost` then.
  case hangUp
  /// Call `woke` at this moment; earlier moments stay.
  case wake(at: Int64)

  case standing(Standing)
  /// The stream has this copy now, the effect of its events up to the cursor. It is the first copy, or a new one.
  case replaced(StreamState, CursorPosition)
  /// These events were applied to the stream's copy. `caughtUp` is false for events that were missed before.
  case happened(StreamID, [Event], caughtUp: Bool)
  /// The stream is not ours any more; its copy is dropped.
  case gone(StreamID)
  /// The ephemeral values of one kind in one of our streams, all of them (protocol §5.5).
  case ephemeral(EphemeralSet)
  /// Every stream of `hello` is level with the server.
  case allLevel
  case answered(RequestTicket, Result<ReplicaAnswer, RequestFailure>)
  /// A queued command was taken back (true); or it was not, because it may have been sent.
  case withdrawn(Int64, Bool)
  /// The outcome of a queued command, for the outbox and to be kept with it.
  case outbox(OutboxRecord)
}

/// The program's own name for a request.
package struct RequestTicket: Hashable, Sendable {
  package let number: Int64
  package init(number: Int64) { self.number = number }
}

/// The state of the connection to the server.
package enum Standing: Equatable, Sendable {
  case connecting
  /// The `hello` was answered; this is who we are.
  case live(as: UserID)
  case offline(Disconnection, retryMilliseconds: Int64)
  /// The connection is over until somebody signs in again.
  case ended(EndReason)
}

/// The reason why there is no connection.
package enum Disconnection: Equatable, Sendable {
  /// The server closed it with this code.
  case closed(code: UInt16)
  /// The server refused it with an HTTP status.
  case refused(status: Int)
  case lost
  case unreachable
  /// Encryption could not be agreed on; nothing of ours was sent.
  case untrusted(Distrust)

  /// The end of the session that this means; nil when it invites to come back (protocol §12).
  var end: EndReason? {
    guard case .closed(let code) = self else { return nil }
    if let known = CloseCode(rawValue: code), known.invitesReconnect { return nil }
    switch code {
    case CloseCode.tokenInvalid.rawValue, CloseCode.signedOut.rawValue,
      CloseCode.linkEnded.rawValue:
      return .signedOut
    case 4500...4999, 1002, 1003, 1007...1009: return .rejected(code: code)
    default: return nil
    }
  }
}

/// The reason why the server that answers is not trusted.
package enum Distrust: Equatable, Sendable {
  /// The certificate does not come from an authority that we trust.
  case unknownAuthority
  /// The certificate is for other names.
  case wrongName
  case expired
  case notYetValid
  /// The server that answers does not speak TLS.
  case plaintext
  /// It was addressed without TLS, which the server that answers does not accept.
  case encrypted
  /// Any other reason, as a sentence.
  case other(String)
}

/// The reason why nothing is tried any more.
package enum EndReason: Equatable, Sendable {
  /// The session was closed, here or elsewhere, or has expired.
  case signedOut
  /// The server refuses this program.
  case rejected(code: UInt16)
  /// The server sent something that this program cannot read.
  case unreadable
}

/// The answer to a request, by its kind.
package enum ReplicaAnswer: Equatable, Sendable {
  case command(CommandResult)
  case registered(RegisterResult)
  case loggedIn(LoginResult)
  case recovered(RecoverResult)
  case pairing(PairingResult)
  case sessions([SessionLine])
  case profile(Profile)
  case bots([BotLine])
  case posts(PostsResult)
  case categories([Category])
  case badges(BadgesResult)
  case members([MemberLine])
  case codes([CodeLine])
  case links([LinkLine])
  case notifications(NotificationsResult)
  case history(HistoryAnswer)
  case search(SearchResult)
  case about(ServerAbout)
  case view(ViewResult)
  case agenda(AgendaResult)
  case twins([TwinLine])
  case digest(DigestResult)
  case stats(StatsResult)
  case export(ExportPage)
  case done

  init(_ node: JSONNode, to request: Request) throws(WireError) {
    switch request {
    case .command, .changePassword, .deleteAccount:
      self = .command(try CommandResult(decoding: node))
    case .register: self = .registered(try RegisterResult(decoding: node))
    case .login: self = .loggedIn(try LoginResult(decoding: node))
    case .recover: self = .recovered(try RecoverResult(decoding: node))
    case .pair, .guest: self = .loggedIn(try LoginResult(decoding: node))
    case .upgrade: self = .registered(try RegisterResult(decoding: node))
    case .openPairing: self = .pairing(try PairingResult(decoding: node))
    case .about: self = .about(try ServerAbout(decoding: node))
    case .hello, .ping, .open, .close, .logout, .ephemeral: self = .done
    case .query(let query): try self.init(node, to: query)
    }
  }

  private init(_ node: JSONNode, to query: Query) throws(WireError) {
    switch query {
    case .sessions: self = .sessions(try SessionLine.decodeListResult(node))
    case .profile: self = .profile(try Profile(decoding: node))
    case .bots: self = .bots(try BotLine.decodeListResult(node))
    case .posts: self = .posts(try PostsResult(decoding: node))
    case .removedCategories: self = .categories(try Category.decodeListResult(node))
    case .badges: self = .badges(try BadgesResult(decoding: node))
    case .members: self = .members(try MemberLine.decodeListResult(node))
    case .codes: self = .codes(try CodeLine.decodeListResult(node))
    case .links: self = .links(try LinkLine.decodeListResult(node))
    case .notifications: self = .notifications(try NotificationsResult(decoding: node))
    case .history(let query): self = .history(try HistoryAnswer(decoding: node, to: query))
    case .search: self = .search(try SearchResult(decoding: node))
    case .view: self = .view(try ViewResult(decoding: node))
    case .agenda: self = .agenda(try AgendaResult(decoding: node))
    case .twins: self = .twins(try TwinLine.decodeListResult(node))
    case .digest: self = .digest(try DigestResult(decoding: node))
    case .stats: self = .stats(try StatsResult(decoding: node))
    case .export: self = .export(try ExportPage(decoding: node))
    }
  }

  /// The version in the answer to a change of a post; nil for other answers.
  var version: Int? {
    guard case .command(let result) = self else { return nil }
    return result.version
  }

  /// The events that a command wrote.
  var events: [StreamPosition] {
    switch self {
    case .command(let result): result.events
    case .registered, .loggedIn, .recovered, .sessions, .profile, .posts, .categories, .members,
      .codes, .notifications, .history, .search, .about, .done, .view, .agenda, .pairing, .links,
      .export:
      []
    case .twins, .badges, .digest, .stats, .bots: []
    }
  }
}

/// The reason why a request has no answer.
package enum RequestFailure: Error, Equatable, Sendable {
  /// The server refused; nothing has changed.
  case refused(ServerError)
  /// The connection was lost before the answer to a login came; ask again.
  case lost
  case ended(EndReason)
}

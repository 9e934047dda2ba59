import Domain
import Sync
import Wire

// Who shares a list, and who is asked to.
extension Todo {
  /// The members of a list, by username.
  public func people(in list: TodoList) -> [TodoPerson] {
    look()
    return everybody(in: list).filter { $0.role != nil }
  }

  /// Asks somebody to share a list, as an editor or as another owner. The receipt throws `not_found` for nobody,
  /// `exists` for a member or somebody who was asked already, `forbidden` for who is no owner, `quota`.
  @discardableResult
  public func invite(
    _ username: String, to list: TodoList, asOwner: Bool = false
  ) throws(TodoError) -> TodoReceipt {
    try queue(
      .sendInvitation(
        InvitationID(Identifiers.make()), .category(list.category), username: username,
        asOwner ? .owner : .editor))
  }

  /// What one is asked to share and has not answered, oldest first.
  public var invitations: [TodoInvitation] {
    look()
    guard let user = client.user else { return [] }
    return (client.view[.user(user)]?.objects.values).map { objects in
      objects.compactMap { object in
        if case .invitation(let it) = object { it } else { nil }
      }.sorted { ($0.sent.at, $0.id) < ($1.sent.at, $1.id) }.map { TodoInvitation($0) }
    } ?? []
  }

  /// The oldest invitation to a list or group of this name, as a person writes it: `#big-shop`, `Big shop`.
  public func invitation(to name: String) -> TodoInvitation? {
    invitations.first { Client.word($0.name) == Client.word(written: name) }
  }

  /// Shares it from now on: its lists appear, of a group all of them.
  @discardableResult
  public func accept(_ invitation: TodoInvitation) throws(TodoError) -> TodoReceipt {
    try queue(.acceptInvitation(invitation.invitation))
  }

  @discardableResult
  public func decline(_ invitation: TodoInvitation) throws(TodoError) -> TodoReceipt {
    try queue(.declineInvitation(invitation.invitation))
  }

  /// Shares the list no longer. Refused as `forbidden` to its only owner, and for a list that one has through a group.
  @discardableResult
  public func leave(_ list: TodoList) throws(TodoError) -> TodoReceipt {
    try queue(.leave(.category(list.category)))
  }

  /// Those who have left, too.
  func everybody(in list: TodoList) -> [TodoPerson] {
    let stream = StreamID.category(list.category)
    return (client.view[stream]?.objects.values).map { objects in
      objects.compactMap { object in
        if case .member(let member) = object { TodoPerson(member) } else { nil }
      }.sorted { ($0.username, $0.id) < ($1.username, $1.id) }
    } ?? []
  }
}

/// A member of a list.
public struct TodoPerson: Hashable, Sendable, Identifiable {
  let user: UserID
  /// A UUID in lower case.
  public var id: String { user.description }
  /// Unique on the server, never given to another.
  public let username: String
  public let name: String
  public let isBot: Bool
  /// A word of protocol §3.5; nil for somebody who has left.
  public let role: String?

  init(_ member: Member) {
    user = member.id
    username = member.username
    name = member.name
    isBot = member.kind == .bot
    role = member.role?.word
  }
}

/// Somebody asks to share a list or a group.
public struct TodoInvitation: Hashable, Sendable, Identifiable {
  let invitation: InvitationID
  /// What it is called, as it was when the invitation was sent.
  public let name: String
  /// The username of who asks.
  public let sender: String

  /// A UUID in lower case.
  public var id: String { invitation.description }

  init(_ it: Invitation) {
    invitation = it.id
    name = it.streamName
    sender = it.senderUsername
  }
}

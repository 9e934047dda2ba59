import Domain
import Sync
import Wire

// The people who share a list, and those who are asked to.
extension Todo {
  /// Returns the members of a list, by username.
  public func people(in list: TodoList) -> [TodoPerson] {
    look()
    return everybody(in: list).filter { $0.role != nil }
  }

  /// Asks somebody to share a list, as an editor or as another owner. The receipt throws `not_found` for nobody,
  /// `exists` for a member or somebody who was asked already, `forbidden` when the account is no owner, and `quota`.
  @discardableResult
  public func invite(
    _ username: String, to list: TodoList, asOwner: Bool = false
  ) throws(TodoError) -> TodoReceipt {
    try queue(
      .invitation(
        .send(
          InvitationID(Identifiers.make()), .category(list.category), username: username,
          asOwner ? .owner : .editor)))
  }

  /// The invitations that the account has not answered, oldest first.
  public var invitations: [TodoInvitation] {
    look()
    guard let user = client.user else { return [] }
    return (client.view[.user(user)]?.objects.values).map { objects in
      objects.compactMap { object in
        if case .invitation(let it) = object { it } else { nil }
      }.sorted { ($0.sent.at, $0.id) < ($1.sent.at, $1.id) }.map { TodoInvitation($0) }
    } ?? []
  }

  /// Returns the oldest invitation to a list or group of this name, as a person writes it: `#big-shop`, `Big shop`.
  public func invitation(to name: String) -> TodoInvitation? {
    invitations.first { Client.word($0.name) == Client.word(written: name) }
  }

  /// Accepts an invitation: the list appears from now on, or all lists of the group.
  @discardableResult
  public func accept(_ invitation: TodoInvitation) throws(TodoError) -> TodoReceipt {
    try queue(.invitation(.accept(invitation.invitation)))
  }

  @discardableResult
  public func decline(_ invitation: TodoInvitation) throws(TodoError) -> TodoReceipt {
    try queue(.invitation(.decline(invitation.invitation)))
  }

  /// Leaves a list. Refused as `forbidden` for its only owner, and for a list that the account has through a group.
  @discardableResult
  public func leave(_ list: TodoList) throws(TodoError) -> TodoReceipt {
    try queue(.member(.leave(.category(list.category))))
  }

  /// Returns the members and those who have left.
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
  /// The name to sign in with. It is unique on the server and never given to another.
  public let username: String
  public let name: String
  public let isBot: Bool
  /// The role, a word of protocol §3.5. Nil for somebody who has left.
  public let role: String?

  init(_ member: Member) {
    user = member.id
    username = member.username
    name = member.name
    isBot = member.kind == .bot
    role = member.role?.word
  }
}

/// An offer of somebody to share a list or a group.
public struct TodoInvitation: Hashable, Sendable, Identifiable {
  let invitation: InvitationID
  /// The name of the list or group, as it was when the invitation was sent.
  public let name: String
  /// The username of the person who asks.
  public let sender: String

  /// A UUID in lower case.
  public var id: String { invitation.description }

  init(_ it: Invitation) {
    invitation = it.id
    name = it.streamName
    sender = it.senderUsername
  }
}

package import Domain

extension Command {
  /// Returns the stream in whose log the answer to this command lives. It is known from the command alone: a repeat
  /// looks there even when its actor may not read that stream any more (protocol §10).
  package func home(of actor: UserID) -> StreamID {
    switch self {
    case .account(let command): .user(command.user ?? actor)
    case .addCategory(let id, _), .editCategory(let id, _): .category(id)
    case .removeCategory(let id), .restoreCategory(let id): .category(id)
    case .archiveCategory(let id), .unarchiveCategory(let id): .category(id)
    case .addPost(let address, _), .changePost(let address, _, ifVersion: _): address.stream
    case .claimNext(let id, _): .category(id)
    case .importPost(let address, _): address.stream
    case .changeTag(let id, _, _): .category(id)
    case .addGroup(let id, _), .editGroup(let id, _): .group(id)
    case .removeGroup(let id), .restoreGroup(let id): .group(id)
    case .sendInvitation(_, let stream, _, _), .revokeInvitation(_, let stream): stream
    case .makeCode(_, let stream, _): stream
    case .link(let command): .category(command.category)
    case .acceptInvitation, .declineInvitation, .redeemCode: .user(actor)
    case .blockPerson, .unblockPerson: .user(actor)
    case .changePersonal, .editSettings: .user(actor)
    case .leave(let stream, _), .removeMember(let stream, _), .setRole(let stream, _, _): stream
    case .markRead, .saveFilter, .removeFilter, .moveCategory: .user(actor)
    // A batch has the home of its first command: most batches are about one list, and the batch's base protects that.
    case .batch(let commands): commands.first?.home(of: actor) ?? .user(actor)
    case .undo(let target): target.stream
    }
  }

  /// Whether the answer holds something derived from the command itself (`CodeBook`). Only the very command that was
  /// decided may have such an answer. Another command gets none, even under a key whose hash went with an erased text.
  var isAnsweredFromItself: Bool {
    switch self {
    case .makeCode, .link(.make): true
    default: false
    }
  }

  /// Returns the needs of a command about a post before anything is known, so that they can be loaded together with
  /// those of other works (LedgerTurn). Other commands are rare enough to ask when they are decided.
  func firstNeeds(of actor: UserID) -> [Need] {
    post.map { Need.toChange($0, by: actor) } ?? []
  }
}

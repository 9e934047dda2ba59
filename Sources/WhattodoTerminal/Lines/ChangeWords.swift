import Domain
import Sync

/// Names one's own change by a noun, for taking it back: `your private note on #3 milk`.
enum ChangeWords {
  static func of(_ command: Command, _ situation: Situation) -> String {
    switch command {
    case .changePersonal(let address, let change):
      return "\(own(change)) \(post(address, situation))"
    case .post(.change(let address, .claim, _)): return "your claim of \(post(address, situation))"
    case .post(.change(let address, .release, _)): return "giving back \(post(address, situation))"
    case .post(.change(let address, .contest(let change), _)):
      return "\(of(change)) \(post(address, situation))"
    case .post(.change(let address, .erase, _)): return "erasing \(post(address, situation))"
    case .post(.change(let address, _, _)), .post(.add(let address, _)),
      .post(.importUpsert(let address, _)):
      return "your change of \(post(address, situation))"
    case .post(.claimNext(let list, _)):
      return "taking the next post of \(situation.label(.category(list)))"
    case .account(.editSettings): return "your settings"
    case .account(.editProfile): return "your profile"
    case .filter(.save(let filter)): return "the filter \(filter.name)"
    case .filter(.remove(let id)): return "the end of the filter \(name(of: id, situation))"
    case .category(.move): return "the order of your lists"
    case .react: return "your sign for what was done"
    case .line(let line): return of(line, situation.label(line.stream))
    case .batch(let commands):
      return commands.first.map { of($0, situation) } ?? "nothing"
    default: return ofPlaces(command, situation)
    }
  }

  private static func of(_ change: ContestChange) -> String {
    switch change {
    case .join: "joining the race"
    case .withdraw: "withdrawing from the race"
    case .reach: "your amount in"
    case .claim: "your claim of a step of"
    case .release: "giving back a step of"
    }
  }

  private static func of(_ line: LineCommand, _ place: String) -> String {
    switch line {
    case .say: "what you said in \(place)"
    case .edit: "other words for a line in \(place)"
    case .react: "your sign for a line in \(place)"
    case .remove: "the end of a line in \(place)"
    }
  }

  private static func ofPlaces(_ command: Command, _ situation: Situation) -> String {
    switch command {
    case .category(.add(_, let new)): return "the new list #\(new.name.oneWord)"
    case .group(.add(_, let name)): return "the new group \(name)"
    case .group(.edit(let group, let edit)):
      let what = edit.name == nil ? "the talk" : "the name"
      return "\(what) of the group \(situation.label(.group(group)))"
    case .group(.remove(let group)): return "the end of the group \(situation.label(.group(group)))"
    case .group(.restore(let group)):
      return "the return of the group \(situation.label(.group(group)))"
    case .member(.setRole(let stream, let user, _)):
      return "the role of \(situation.name(of: user, in: stream)) in \(situation.label(stream))"
    case .invitation(.send(_, let stream, let username, _)):
      return "the invitation of @\(username) to \(situation.label(stream))"
    case .invitation(.makeCode(_, let stream, _)): return "the code to \(situation.label(stream))"
    case .link(.make(_, let list, _)): return "the link to \(situation.label(.category(list)))"
    case .link(.revoke(_, let list)):
      return "the end of a link to \(situation.label(.category(list)))"
    case .bot(.add(let new)): return "the new bot @\(new.username)"
    case .bot(.end): return "the end of a bot"
    case .bot(.keep): return "that a bot stays"
    case .bot(.give(_, let heir)): return "that @\(heir) has your bot"
    case .bot(.addToken(_, _, let new)): return "the token \(new.name)"
    case .bot(.revokeToken): return "the end of a token"
    case .bot(.addWebhook(_, _, let new)): return "the webhook \(new.name)"
    case .bot(.removeWebhook): return "the end of a webhook"
    case .bot(.pauseWebhook): return "that a webhook rests"
    case .bot(.resumeWebhook): return "that a webhook goes on"
    case .invitation(.revoke(_, let stream)):
      return "the end of an invitation to \(situation.label(stream))"
    case .person(.block(let username)): return "blocking @\(username)"
    case .person(.unblock(let user)):
      let block = situation.ownStream?.blocks.first { $0.user == user }
      return "unblocking @\(block?.username ?? "somebody")"
    case .invitation(.accept), .invitation(.redeem): return "that you came in"
    case .invitation(.decline): return "that you declined"
    case .member(.leave(let stream, _)): return "leaving \(situation.label(stream))"
    case .member(.remove(let stream, let user)):
      return "taking \(situation.name(of: user, in: stream)) out of \(situation.label(stream))"
    case .account(.closeSession): return "signing out a device"
    case .account(.keep): return "that your account stays"
    default: return "your change (\(command.method.name))"
    }
  }

  private static func own(_ change: PersonalChange) -> String {
    switch change {
    case .plan, .day: "your plan of"
    case .remind, .forget: "your reminder of"
    case .snooze: "your quiet about"
    case .note: "your private note on"
    case .watch: "your watching of"
    }
  }

  private static func post(_ address: PostAddress, _ situation: Situation) -> String {
    guard let post = situation.streams[address.stream]?.post(address.post) else {
      return "a post in \(situation.label(address.stream))"
    }
    return "#\(post.number) \(post.shownTitle)"
  }

  private static func name(of id: FilterID, _ situation: Situation) -> String {
    situation.ownStream?.filters.first { $0.id == id }?.name ?? "that is gone"
  }
}

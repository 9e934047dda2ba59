package import Domain

// The one household in which the tests try every method. It is plain data: who asks for what, in order. A test plays
// it on what it has (a world, a ledger, a store, a server) and sends a sample there (`MethodSample`).
//
// The sender is the person whose rights, repeats and requests are tried. Somebody of each other kind is beside them.

/// The people, the things, and how they came to be.
package enum Household {
  /// A command, and the person who sends it.
  package struct Doing: Sendable {
    package let command: Command
    package let by: UserID

    package init(_ command: Command, by user: UserID) {
      self.command = command
      by = user
    }
  }

  // MARK: People

  package static let owner = UserID(name(1))
  package static let sender = UserID(name(2))
  /// A viewer of the list.
  package static let member = UserID(name(3))
  /// Somebody who is invited to the list.
  package static let asked = UserID(name(4))
  /// Somebody who is nowhere.
  package static let stranger = UserID(name(5))
  /// Somebody who has no account yet.
  package static let newcomer = UserID(name(6))

  /// A bot that the sender owns.
  package static let bot = UserID(name(7))

  /// The accounts that there are at the beginning. Their usernames are what they are called here.
  package static let people = [
    registration(owner, "owner"), registration(sender, "sender"), registration(member, "member"),
    registration(asked, "asked"), registration(stranger, "stranger"),
  ]

  /// The streams that commands of the samples write to.
  package static let streams: [StreamID] =
    (people.map(\.id) + [newcomer, bot]).map(StreamID.user)
    + [list, ownList, groupList, newList].map(StreamID.category)
    + [group, newGroup].map(StreamID.group)

  // MARK: Places and things

  package static let list = CategoryID(name(0x11))
  /// A list of the sender.
  package static let ownList = CategoryID(name(0x12))
  package static let groupList = CategoryID(name(0x13))
  package static let newList = CategoryID(name(0x14))
  package static let group = GroupID(name(0x21))
  package static let newGroup = GroupID(name(0x22))

  /// A post that comes again every day. The sender has completed its first occurrence.
  package static let daily = PostID(name(0x31))
  /// A post that the sender has completed.
  package static let done = PostID(name(0x32))
  package static let open = PostID(name(0x33))
  package static let removed = PostID(name(0x34))
  /// A post that the sender has added and has to do. It has a tag, an open step and a finished one.
  package static let own = PostID(name(0x35))
  /// A post that the sender has claimed, and for which a run of theirs goes on.
  package static let claimed = PostID(name(0x36))
  package static let newPost = PostID(name(0x37))
  /// A coop. The sender has claimed one of its two steps.
  package static let coop = PostID(name(0x38))
  /// A race with a goal, which only the owner is in.
  package static let race = PostID(name(0x39))

  package static let openStep = StepID(name(0x41))
  package static let finishedStep = StepID(name(0x42))
  package static let newStep = StepID(name(0x43))
  package static let claimedStep = StepID(name(0x44))
  package static let freeStep = StepID(name(0x45))
  package static let run = RunID(name(0xA1))
  package static let newRun = RunID(name(0xA2))
  package static let tag = TagID(name(0x51))
  package static let newTag = TagID(name(0x52))
  /// The invitation of the person who is asked.
  package static let invitation = InvitationID(name(0x61))
  package static let newInvitation = InvitationID(name(0x62))
  package static let link = LinkID(name(0x71))
  package static let newLink = LinkID(name(0x72))
  package static let newToken = TokenID(name(0xB1))
  package static let newWebhook = WebhookID(name(0xB3))
  package static let newFilter = FilterID(name(0x81))
  /// A session of the sender besides the one that sends.
  package static let session = SessionID(name(0x91))

  /// The number of the event of the list by which the sender completed an occurrence.
  package static let ending: Int64 = 5
  /// The number of the event of the list by which the sender completed a post.
  package static let completion: Int64 = 7
  /// The number of the line of talk that the sender said in the list.
  package static let line: Int64 = 8

  /// A day that no test comes to, so nothing is ever overdue or told.
  package static let farDay = Day(number: 47_444)

  /// Returns all that happened, with the sender in this role in the list and in the group.
  package static func doings(role: Role = .editor) -> [Doing] {
    let entry = founding + postsOfSender + things + others + contests
    guard role != .editor else { return entry }
    return entry
      + [StreamID.category(list), .group(group)].map {
        Doing(.member(.setRole($0, sender, role)), by: owner)
      }
  }

  /// The end of the sender's access to the list.
  package static let senderIsRemoved = Doing(
    .member(.remove(.category(list), sender)), by: owner)

  /// The events of these are counted (`ending`, `completion`, `line`): new doings come behind them.
  private static let founding = [
    Doing(.category(.add(list, name: "groceries", group: nil)), by: owner),
    Doing(
      .invitation(.send(InvitationID(name(0x63)), .category(list), username: "sender", .editor)),
      by: owner),
    Doing(.invitation(.accept(InvitationID(name(0x63)))), by: sender),
    Doing(.post(.add(PostAddress(category: list, post: daily), everyDay)), by: sender),
    Doing(.changeOccurrence(list, daily, 1, .complete), by: sender),
    Doing(.post(.add(list, done, title: "bread", notes: "")), by: owner),
    Doing(.completePost(list, done, ifVersion: nil), by: sender),
    Doing(.line(.say(.category(list), text: "Who cooks?")), by: sender),
  ]

  private static let postsOfSender = [
    Doing(.post(.add(list, own, title: "cake", notes: "for two")), by: sender),
    Doing(.changeStep(list, own, openStep, .add(content: "flour")), by: sender),
    Doing(.changeStep(list, own, finishedStep, .add(content: "eggs")), by: sender),
    Doing(.changeStep(list, own, finishedStep, .complete), by: sender),
    Doing(.post(.add(list, claimed, title: "plates", notes: "")), by: sender),
    Doing(.post(.change(list, claimed, .claim(milliseconds: 3_600_000))), by: sender),
    Doing(
      .changeRun(list, claimed, run, .start(lease: 600_000, phase: "washing")), by: sender),
    Doing(.category(.add(ownList, name: "my own", group: nil)), by: sender),
  ]

  private static let things = [
    Doing(.post(.add(list, open, title: "milk", notes: "two litres")), by: owner),
    Doing(.post(.add(list, removed, title: "salt", notes: "")), by: owner),
    Doing(.removePost(list, removed, ifVersion: nil), by: owner),
    Doing(.changeTag(list, tag, .add(name: "tag")), by: owner),
    Doing(.post(.change(list, own, .tag(tag))), by: owner),
    Doing(.post(.change(list, own, .assign(sender))), by: owner),
    Doing(.link(.make(link, list, NewLink(days: 1))), by: owner),
  ]

  private static let others = [
    Doing(
      .invitation(.send(InvitationID(name(0x64)), .category(list), username: "member", .viewer)),
      by: owner),
    Doing(.invitation(.accept(InvitationID(name(0x64)))), by: member),
    Doing(
      .invitation(.send(invitation, .category(list), username: "asked", .viewer)), by: owner),
    Doing(.group(.add(group, name: "family")), by: owner),
    Doing(.category(.add(groupList, name: "chores", group: group)), by: owner),
    Doing(
      .invitation(.send(InvitationID(name(0x65)), .group(group), username: "sender", .editor)),
      by: owner),
    Doing(.invitation(.accept(InvitationID(name(0x65)))), by: sender),
    Doing(
      .bot(.add(NewBot(id: bot, username: "nightly", name: "Nightly", zone: "UTC"))), by: sender),
  ]

  private static let contests = [
    Doing(.post(.add(PostAddress(category: list, post: coop), new("salad", .coop))), by: sender),
    Doing(.changeStep(list, coop, claimedStep, .add(content: "wash")), by: sender),
    Doing(.changeStep(list, coop, freeStep, .add(content: "cut")), by: sender),
    Doing(.post(.change(list, coop, .contest(.claim(claimedStep)))), by: sender),
    Doing(.post(.add(PostAddress(category: list, post: race), new("book", .race))), by: owner),
    Doing(.post(.change(list, race, .assign(owner))), by: owner),
  ]

  private static func new(_ title: String, _ contest: Contest) -> NewPost {
    let goal = Goal(amount: 300, unit: "pages")
    return NewPost(title: title, fields: PostEdit(contest: .set(contest), goal: .set(goal)))
  }

  private static let everyDay = NewPost(
    title: "dishes", fields: PostEdit(due: .set(.day(farDay)), repeats: .set(repetition)))

  private static let repetition: Repetition = {
    do {
      return Repetition(try RecurrenceRule("FREQ=DAILY"))
    } catch {
      preconditionFailure("a rule of days")
    }
  }()

  package static func registration(_ user: UserID, _ username: String) -> Registration {
    Registration(
      id: user, username: username, name: username, zone: "UTC",
      password: PasswordHash(phc: "$\(username)"), code: nil)
  }

  private static func name(_ number: UInt64) -> UUID {
    UUID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number)
  }
}

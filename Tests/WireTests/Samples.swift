import Domain
import MethodSamples
import Testing

@testable import Wire

/// A Swift value by the name of the vector that says the same.
struct Sample<Value: Sendable>: CustomTestStringConvertible, Sendable {
  let name: String
  let value: Value

  init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }

  var testDescription: String { name }
}

/// The identifiers that the vectors use.
enum ID {
  static func uuid(_ number: UInt64) -> UUID {
    UUID(high: 0x0189_0A5D_AC96_774B, low: 0xBCCE_0000_0000_0000 | number)
  }
  static let author = UserID(uuid(0xa1))
  static let editor = UserID(uuid(0xb2))
  static let category = CategoryID(uuid(0xc1))
  static let group = GroupID(uuid(0x91))
  static let post = PostID(uuid(0x501))
  static let otherPost = PostID(uuid(0x502))
  static let thirdPost = PostID(uuid(0x503))
  static let step = StepID(uuid(0xe01))
  static let otherStep = StepID(uuid(0xe02))
  static let run = RunID(uuid(0xa01))
  static let otherRun = RunID(uuid(0xa02))
  static let invitation = InvitationID(uuid(0x101))
  static let link = LinkID(uuid(0x11))
  static let filter = FilterID(uuid(0xf1))
  static let bot = UserID(uuid(0xb07))
  static let token = TokenID(uuid(0x70c))
  static let webhook = WebhookID(uuid(0x70e))
  static let otherCategory = CategoryID(uuid(0xc2))
  static let tag = TagID(uuid(0x7a9))
  static let otherTag = TagID(uuid(0x7aa))
  static let session = SessionID(uuid(0x5e5))
  static let transaction = TransactionID(uuid(0x7a1))
  static let list = StreamID.category(category)
  static let groupStream = StreamID.group(group)
  static let own = StreamID.user(author)
  static let epoch = Epoch("k3f9.00000000007a1")
  static let start: Int64 = 1_790_000_000_000

  static func time(_ offset: Int64) -> Timestamp { Timestamp(milliseconds: start + offset) }
  static func stamp(_ offset: Int64, _ user: UserID) -> Stamp { Stamp(at: time(offset), by: user) }

  static let key: CommandKey = {
    guard let key = CommandKey("k-1") else { fatalError("k-1 is a key") }
    return key
  }()
}

enum Samples {}

// MARK: - Requests

extension Samples {
  static let client = ClientName(name: "whattodo", version: "0.1.0")
  static let token = "q3Zt9mUO1bYpX2vKc7LhR0sWnE5gAfJd8iTxQkMlBoV"
  static let place = CursorPosition(epoch: ID.epoch, seq: 9, transaction: ID.transaction)

  static let requests: [Sample<Request>] =
    signingIn
    + commands.map { Sample($0.name, .command($0.value, key: ID.key)) }
    + queued + queries + badgeQueries + statsQueries
    + moments.map { Sample($0.name, .ephemeral($0.value)) }
    + ofHousehold

  private static let commands: [Sample<Command>] =
    changes + personalCommands + partCommands + contestCommands + runCommands + botCommands

  /// The samples of the household for the changes that have none here. A vector of such a method says what its sample
  /// does.
  private static let ofHousehold: [Sample<Request>] = {
    let here = Set(commands.map(\.value.method))
    return MethodSample.ofMethods
      .filter { $0.method.row.kind == .change && !here.contains($0.method) }
      .map { Sample($0.method.name, .command($0.command, key: ID.key)) }
  }()

  private static let signingIn: [Sample<Request>] = [
    Sample(
      "hello",
      .hello(
        Hello(
          token: token, client: client, cursors: [Cursor(stream: ID.list, position: place)],
          streams: .all))),
    Sample("ping", .ping),
    Sample("server.about", .about),
    Sample(
      "sync.open",
      .open([
        Cursor(stream: ID.list, position: place), Cursor(stream: ID.groupStream, position: nil),
      ])),
    Sample("sync.close", .close([ID.list, ID.groupStream, ID.own])),
    Sample(
      "account.register",
      .register(
        RegisterRequest(
          id: ID.author, username: "author", name: "Author Lima", zone: "Europe/Lisbon",
          password: "correct horse", code: "WT-7K2M"))),
    Sample(
      "account.register: a bot",
      .register(
        RegisterRequest(
          id: ID.author, username: "author", name: "Author Lima", zone: "Europe/Lisbon",
          password: "correct horse", code: "WT-7K2M", kind: .bot))),
    Sample(
      "account.login",
      .login(
        LoginRequest(
          username: "author", password: "correct horse", client: client, device: "0123456789abcdef")
      )),
    Sample(
      "account.recover",
      .recover(
        RecoverRequest(
          username: "author", code: "ABCDE-FGHIJ", password: "better horse", key: ID.key))),
    Sample(
      "account.change_password",
      .changePassword(
        ChangePasswordRequest(old: "correct horse", new: "better horse", key: ID.key))),
    Sample("account.logout", .logout),
    Sample("session.pair", .openPairing),
    Sample(
      "account.pair",
      .pair(PairRequest(code: "7K2M-9XQ4-TB0A", client: client, device: "0123456789abcdef"))),
    Sample(
      "account.guest",
      .guest(
        GuestRequest(
          id: ID.author, name: "Author Lima", zone: "Europe/Lisbon", device: "0123456789abcdef",
          client: client))),
    Sample(
      "account.upgrade",
      .upgrade(
        UpgradeRequest(
          username: "author", name: "Author Lima", password: "correct horse", key: ID.key))),
    Sample(
      "account.upgrade: with a code",
      .upgrade(
        UpgradeRequest(
          username: "author", name: "Author Lima", password: "correct horse", code: "WT-7K2M",
          key: ID.key))),
    Sample(
      "account.delete",
      .deleteAccount(DeleteAccountRequest(password: "correct horse", key: ID.key))),
    Sample(
      "account.delete: of a guest",
      .deleteAccount(DeleteAccountRequest(password: nil, key: ID.key))),
  ]

  private static let changes: [Sample<Command>] = [
    Sample("session.close", .account(.closeSession(ID.session))),
    Sample("account.keep", .account(.keep)),
    Sample(
      "profile.edit",
      .account(
        .editProfile(ProfileEdit(name: "Author L.", location: "Porto", zone: "Europe/Lisbon")))),
    Sample("profile.edit: who may invite", .account(.editProfile(ProfileEdit(invitedBy: .shared)))),
    Sample("profile.edit: a language", .account(.editProfile(ProfileEdit(locale: "pt-PT")))),
    Sample("category.add", .category(.add(ID.category, name: "Groceries", group: nil))),
    Sample(
      "category.add: in a group", .category(.add(ID.category, name: "Groceries", group: ID.group))),
    Sample(
      "category.add: what was before is for those who were there",
      .category(.add(ID.category, name: "Groceries", group: nil, history: .joined))),
    Sample(
      "category.add: for everybody is the default",
      .category(.add(ID.category, name: "Groceries", group: nil, history: .all))),
    Sample("category.edit", .category(.edit(ID.category, name: "Food"))),
    Sample("category.edit: what members may read", .category(.edit(ID.category, history: .all))),
    Sample(
      "category.edit: both", .category(.edit(ID.category, name: "Food", history: .joined))),
    Sample(
      "category.add: with a zone and a color",
      .category(
        .add(
          ID.category, NewCategory(name: "Groceries", zone: "Asia/Kathmandu", color: .green)))),
    Sample(
      "category.edit: zone and color",
      .category(.edit(ID.category, CategoryEdit(zone: "Europe/Lisbon", color: .set(.pink))))),
    Sample(
      "category.edit: without a color",
      .category(.edit(ID.category, CategoryEdit(color: .clear)))),
    Sample(
      "category.edit: without talk", .category(.edit(ID.category, CategoryEdit(talk: .off)))),
    Sample("category.remove", .category(.remove(ID.category))),
    Sample("category.restore", .category(.restore(ID.category))),
    Sample("category.archive", .category(.archive(ID.category))),
    Sample("category.unarchive", .category(.unarchive(ID.category))),
    Sample(
      "post.add", .post(.add(ID.category, ID.post, title: "Milk", notes: "two litres\nno lactose"))),
    Sample(
      "post.edit",
      .editPost(
        ID.category, ID.post, PostEdit(title: "Oat milk", notes: "one litre"), ifVersion: 1)),
    Sample(
      "post.edit: emptied notes",
      .editPost(ID.category, ID.post, PostEdit(notes: ""), ifVersion: nil)),
    Sample(
      "post.add: every field",
      .post(
        .add(
          PostAddress(category: ID.category, post: ID.post),
          NewPost(title: "Milk", fields: everyField)))),
    Sample(
      "post.add: blue is what a post has anyhow",
      .post(.add(ID.category, ID.post, title: "Milk", notes: ""))),
    Sample(
      "post.edit: fields taken away",
      .editPost(
        ID.category, ID.post,
        PostEdit(priority: .clear, color: .clear, due: .clear, location: .clear), ifVersion: nil)),
    Sample(
      "post.edit: blue takes a color away",
      .editPost(ID.category, ID.post, PostEdit(color: .clear), ifVersion: nil)),
    Sample("post.complete", .completePost(ID.category, ID.post, ifVersion: 3)),
    Sample("post.complete: at any version", .completePost(ID.category, ID.post, ifVersion: nil)),
    Sample("post.reopen", .reopenPost(ID.category, ID.post, ifVersion: 3)),
    Sample("post.remove", .removePost(ID.category, ID.post, ifVersion: 3)),
    Sample("post.restore", .restorePost(ID.category, ID.post, ifVersion: 3)),
    Sample("post.erase", .erasePost(ID.category, ID.post)),
    Sample(
      "post.move",
      .movePost(ID.category, ID.post, after: ID.otherPost, before: ID.thirdPost, ifVersion: 3)),
    Sample(
      "post.move: to the top",
      .movePost(ID.category, ID.post, after: nil, before: ID.otherPost)),
    Sample(
      "post.move: to the bottom",
      .movePost(ID.category, ID.post, after: ID.otherPost, before: nil)),
    Sample(
      "post.move_to", .movePost(ID.category, ID.post, to: CategoryID(ID.uuid(0xc2)), ifVersion: 3)),
    Sample(
      "post.copy",
      .post(.change(ID.category, ID.post, .copy(as: ID.otherPost, to: CategoryID(ID.uuid(0xc2)))))),
    Sample(
      "post.copy: some days later",
      .post(
        .change(
          ID.category, ID.post, .copy(as: ID.otherPost, to: CategoryID(ID.uuid(0xc2)), days: -7)))),
    step("step.add", .add(content: "Oat milk")),
    step("step.edit", .edit(content: "Rye bread")),
    step("step.remove", .remove),
    step("step.move", .move(before: ID.otherStep)),
    step("step.move: to the end", .move(before: nil), ifVersion: nil),
    step("step.complete", .complete),
    step("step.reopen", .reopen),
    Sample("tag.add", .changeTag(ID.category, ID.tag, .add(name: "uni", color: .red))),
    Sample(
      "tag.add: blue is what a tag has anyhow",
      .changeTag(ID.category, ID.tag, .add(name: "uni"))),
    Sample(
      "tag.edit",
      .changeTag(ID.category, ID.tag, .edit(TagEdit(name: "work", color: .set(.red))))),
    Sample(
      "tag.edit: no color any more",
      .changeTag(ID.category, ID.tag, .edit(TagEdit(color: .clear)))),
    Sample("tag.remove", .changeTag(ID.category, ID.tag, .remove)),
    Sample("post.tag", .post(.change(ID.category, ID.post, .tag(ID.tag), ifVersion: 3))),
    Sample("post.untag", .post(.change(ID.category, ID.post, .untag(ID.tag)))),
    Sample("post.assign", .post(.change(ID.category, ID.post, .assign(ID.editor), ifVersion: 3))),
    Sample("post.unassign", .post(.change(ID.category, ID.post, .unassign(ID.editor)))),
    Sample("post.skip", .changeOccurrence(ID.category, ID.post, 3, .skip, ifVersion: 3)),
    Sample(
      "post.complete: one occurrence", .changeOccurrence(ID.category, ID.post, 3, .complete)),
    Sample(
      "post.edit: one occurrence",
      .changeOccurrence(
        ID.category, ID.post, 3, .edit(PostEdit(due: .set(.day(Day(number: 20_781))))))),
    Sample("post.remove: one occurrence", .changeOccurrence(ID.category, ID.post, 3, .remove)),
    Sample(
      "step.complete: of one occurrence",
      .changeOccurrence(ID.category, ID.post, 3, .finish(ID.step))),
    Sample(
      "post.add: that comes again",
      .post(
        .add(
          PostAddress(category: ID.category, post: ID.post),
          NewPost(
            title: "Milk",
            fields: PostEdit(
              due: .set(.day(Day(number: 20_781))),
              repeats: .set(
                Repetition(
                  rule("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=5"), basis: .completion,
                  missed: .kept))))))),
    Sample(
      "post.edit: comes again as most do",
      .editPost(
        ID.category, ID.post, PostEdit(repeats: .set(Repetition(rule("FREQ=MONTHLY")))),
        ifVersion: nil)),
    Sample(
      "post.edit: comes again, done in turn",
      .editPost(
        ID.category, ID.post,
        PostEdit(repeats: .set(Repetition(rule("FREQ=WEEKLY"), rotation: .turn))),
        ifVersion: nil)),
    Sample(
      "post.edit: comes again, for who did it least",
      .editPost(
        ID.category, ID.post,
        PostEdit(repeats: .set(Repetition(rule("FREQ=WEEKLY"), rotation: .least))),
        ifVersion: nil)),
    Sample(
      "post.edit: for each",
      .editPost(ID.category, ID.post, PostEdit(mode: .set(.each)), ifVersion: nil)),
    Sample(
      "post.edit: one for all",
      .editPost(ID.category, ID.post, PostEdit(mode: .clear), ifVersion: nil)),
    Sample(
      "post.edit: comes again, confirmed by an admin",
      .editPost(
        ID.category, ID.post,
        PostEdit(repeats: .set(Repetition(rule("FREQ=WEEKLY"), confirms: true))),
        ifVersion: nil)),
    Sample(
      "post.edit: comes no more",
      .editPost(ID.category, ID.post, PostEdit(repeats: .clear), ifVersion: nil)),
    Sample(
      "post.claim",
      .post(.change(ID.category, ID.post, .claim(milliseconds: 600_000), ifVersion: 3))),
    Sample(
      "post.claim: for an hour",
      .post(.change(ID.category, ID.post, .claim(milliseconds: 3_600_000)))),
    Sample("post.release", .post(.change(ID.category, ID.post, .release, ifVersion: 3))),
    Sample(
      "import.upsert",
      .post(
        .importUpsert(
          PostAddress(category: ID.category, post: ID.post),
          ImportedPost(
            source: SourceKey(name: "forge", id: "12"), url: "https://forge.example/issues/12",
            fields: PostEdit(
              title: "Oat milk", notes: "two litres", priority: .set(.high),
              due: .set(.day(Day(number: 20_781))), location: .clear))))),
    Sample(
      "import.upsert: a title only",
      .post(
        .importUpsert(
          PostAddress(category: ID.category, post: ID.post),
          ImportedPost(
            source: SourceKey(name: "forge", id: "12"), url: nil,
            fields: PostEdit(title: "Oat milk"))))),
    Sample("post.claim_next", .post(.claimNext(ID.category, milliseconds: 600_000))),
    Sample("group.add", .group(.add(ID.group, name: "Family"))),
    Sample("group.edit", .group(.edit(ID.group, name: "Our family"))),
    Sample("group.edit: without talk", .group(.edit(ID.group, talk: .off))),
    Sample("group.remove", .group(.remove(ID.group))),
    Sample("group.restore", .group(.restore(ID.group))),
    Sample(
      "invitation.send",
      .invitation(.send(ID.invitation, ID.groupStream, username: "editor", .editor))),
    Sample("invitation.accept", .invitation(.accept(ID.invitation))),
    Sample("invitation.decline", .invitation(.decline(ID.invitation))),
    Sample("invitation.revoke", .invitation(.revoke(ID.invitation, ID.groupStream))),
    Sample("link.make", .link(.make(ID.link, ID.category, NewLink(days: 7)))),
    Sample("link.make: for two weeks", .link(.make(ID.link, ID.category, NewLink(days: 14)))),
    Sample("link.revoke", .link(.revoke(ID.link, ID.category))),
    Sample(
      "invitation.make_code",
      .invitation(
        .makeCode(ID.invitation, ID.groupStream, NewCode(role: .editor, uses: 30, days: 7)))),
    Sample(
      "invitation.make_code: for one",
      .invitation(
        .makeCode(ID.invitation, ID.groupStream, NewCode(role: .editor, uses: 1, days: 14)))),
    Sample(
      "invitation.redeem",
      .invitation(
        .redeem(
          CodeInHand(text: "ABCD-EFGH-JKMN-PQRS-TVWX-YZ01-2345-6789-ABCD-EFGH-JKMN-PQRS-TVWX")))),
    Sample("person.block", .person(.block(username: "editor"))),
    Sample("person.unblock", .person(.unblock(ID.editor))),
    Sample("filter.save", .filter(.save(filter))),
    Sample("filter.save: with days of the calendar", .filter(.save(thisYear))),
    Sample(
      "filter.save: as anything would be", .filter(.save(Filter(id: ID.filter, name: "Urgent")))),
    Sample("filter.remove", .filter(.remove(ID.filter))),
    Sample("member.leave", .member(.leave(ID.groupStream))),
    Sample("member.leave: to a successor", .member(.leave(ID.groupStream, successor: ID.editor))),
    Sample("member.remove", .member(.remove(ID.groupStream, ID.editor))),
    Sample("member.set_role", .member(.setRole(ID.groupStream, ID.editor, .admin))),
    Sample("notification.read", .markRead(ID.list, seq: 42)),
    Sample("line.say", .line(.say(ID.list, text: "Milk is out"))),
    Sample(
      "line.say: a comment that answers",
      .line(.say(ID.list, text: "Which one?\nThe \"red\" one", post: ID.post, answers: 14))),
    Sample("line.edit", .line(.edit(ID.groupStream, line: 14, text: "Milk is here"))),
    Sample("line.react", .line(.react(ID.list, line: 14, sign: "👏"))),
    Sample(
      "line.react: none any more, in a group",
      .line(.react(ID.groupStream, line: 14, sign: nil))),
    Sample("line.remove", .line(.remove(ID.list, line: 14))),
    Sample("event.react", .react(ID.category, event: 14, sign: "👏")),
    Sample("event.react: none any more", .react(ID.category, event: 14, sign: nil)),
    Sample(
      "event.react: for one of several posts",
      .react(ID.category, event: 14, post: ID.post, sign: "👏")),
    Sample(
      "event.react: a sign of many scalars",
      .react(ID.category, event: 14, sign: "👩🏽‍❤️‍💋‍👨🏿")),
    Sample(
      "batch",
      .batch([
        .post(.add(ID.category, ID.post, title: "Milk", notes: "")),
        .completePost(ID.category, ID.post, ifVersion: 1), .markRead(ID.list, seq: 42),
      ])),
    Sample("undo", .undo(UndoTarget(stream: ID.list, events: [15], seen: nil))),
    Sample(
      "undo: in any order, each once",
      .undo(UndoTarget(stream: ID.list, events: [15, 17], seen: "84222325cbf29ce4"))),
  ]

  private static func step(
    _ name: String, _ change: StepChange, ifVersion: Int? = 3
  ) -> Sample<Command> {
    Sample(name, .changeStep(ID.category, ID.post, ID.step, change, ifVersion: ifVersion))
  }

  /// Out of an offline queue.
  private static let queued: [Sample<Request>] = [
    Sample(
      "post.complete: out of an offline queue",
      .command(
        .completePost(ID.category, ID.post, ifVersion: nil), key: ID.key,
        base: CommandBase(epoch: ID.epoch, seq: 9))),
    Sample(
      "category.edit: on an empty copy",
      .command(
        .category(.edit(ID.category, name: "Food")), key: ID.key,
        base: CommandBase(epoch: ID.epoch, seq: 0))),
  ]
}

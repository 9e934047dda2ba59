// The numbers of lines on the screen. By them the next command names a line: `/unsent 2 drop`, `/accept 1`. A number
// keeps its meaning until its table is shown again. So when a person works through several lines, no line takes the
// place of one that is gone. Lines that came since have the numbers behind.

import Domain
import Sync
import Wire

/// A thing that a screen numbers.
protocol Numbered {
  associatedtype ShownName: Hashable
  var shownName: ShownName { get }
}

/// The numbers of one table as they were shown.
struct ShownOrder<Item: Numbered> {
  private var names: [Item.ShownName] = []

  /// Takes note that these items stand on the screen now.
  mutating func show(_ items: [Item]) { names = items.map(\.shownName) }

  /// Takes note that a line was added behind the others.
  mutating func add(_ item: Item) {
    if !names.contains(item.shownName) { names.append(item.shownName) }
  }

  /// Whether the item stands on the screen with a number.
  func shows(_ item: Item) -> Bool { names.contains(item.shownName) }

  /// Returns the number of the item, from 1. `items` are those that there are now.
  func number(of item: Item, among items: [Item]) -> Int {
    if let index = names.firstIndex(of: item.shownName) { return index + 1 }
    let rest = rest(of: items)
    return names.count + 1 + (rest.firstIndex { $0.shownName == item.shownName } ?? 0)
  }

  /// Returns the item with this number; nil when the number was never shown, or its item is gone.
  func pick(_ number: Int, among items: [Item]) -> Item? {
    if names.indices.contains(number - 1) {
      return items.first { $0.shownName == names[number - 1] }
    }
    let rest = rest(of: items)
    let index = number - names.count - 1
    return rest.indices.contains(index) ? rest[index] : nil
  }

  private func rest(of items: [Item]) -> [Item] { items.filter { !names.contains($0.shownName) } }
}

/// The shown numbers of all tables.
struct ShownNumbers {
  /// The numbers of the changes of `/unsent`.
  var unsent = ShownOrder<UnsentCommand>()
  /// The numbers of the lists and groups of `/lists`.
  var places = ShownOrder<ListOrGroup>()
  /// The numbers of the invitations of `/lists`, for `/accept` and `/decline`.
  var invitations = ShownOrder<Invitation>()
  /// The numbers of the sessions of `/sessions`.
  var sessions = ShownOrder<SessionLine>()
  /// The numbers of the lists of `/bin lists`.
  var removedLists = ShownOrder<Category>()
  /// The numbers of the groups of `/bin lists`.
  var removedGroups = ShownOrder<Group>()
  /// The numbers of the steps of each post that was shown: `12.3`.
  private var steps: [PostID: ShownOrder<Step>] = [:]
  /// The numbers of the comments of each post whose talk was shown: `12.c3`.
  private var comments: [PostID: ShownOrder<TalkLine>] = [:]
  /// The number of the oldest line that was shown of each talk, when older ones than those of the copy were.
  private var oldest: [TalkView: Int64] = [:]
  /// The numbers of the codes of `/codes`, by place; those of the links of `/links` follow.
  private var codes: [StreamID: ShownOrder<CodeLine>] = [:]
  private var links: [CategoryID: ShownOrder<LinkLine>] = [:]
  /// The numbers of the tokens of `/bots`, by bot.
  private var tokens: [UserID: ShownOrder<TokenLine>] = [:]

  /// The numbers of the webhooks of `/bots`, by bot.
  private var webhooks: [UserID: ShownOrder<Webhook>] = [:]

  func codes(of place: ListOrGroup) -> ShownOrder<CodeLine> { codes[place.stream] ?? ShownOrder() }
  func links(of list: Category) -> ShownOrder<LinkLine> { links[list.id] ?? ShownOrder() }

  func tokens(of bot: BotLine) -> ShownOrder<TokenLine> { tokens[bot.id] ?? ShownOrder() }

  func webhooks(of bot: BotLine) -> ShownOrder<Webhook> { webhooks[bot.id] ?? ShownOrder() }

  /// Returns the number of the step, from 1.
  func number(of step: Step, in post: Post) -> Int {
    (steps[post.id] ?? ShownOrder()).number(of: step, among: post.steps)
  }

  /// Returns the step with this number; nil when the post has no such step, or the step is gone.
  func step(_ number: Int, of post: Post) -> Step? {
    (steps[post.id] ?? ShownOrder()).pick(number, among: post.steps)
  }

  /// Returns the number of a comment, from 1. `lines` are all confirmed comments that the copy holds.
  func number(of comment: TalkLine, on post: PostID, among lines: [TalkLine]) -> Int {
    (comments[post] ?? ShownOrder()).number(of: comment, among: lines)
  }

  /// Returns the comment with this number; nil when the post has no such comment, or it is gone.
  func comment(_ number: Int, on post: PostID, among lines: [TalkLine]) -> TalkLine? {
    (comments[post] ?? ShownOrder()).pick(number, among: lines)
  }

  /// Whether the number of the comment among those of its post was shown.
  func shows(_ comment: TalkLine) -> Bool {
    comment.post.flatMap { comments[$0] }?.shows(comment) ?? false
  }

  /// Returns the number before which the next page of older lines begins; nil when none was shown.
  func oldestLine(of view: TalkView) -> Int64? { oldest[view] }

  /// Takes note that a view of the copies is shown.
  mutating func note(_ view: View, _ situation: Situation) {
    switch view {
    case .unsent: unsent.show(situation.unsent)
    case .lists:
      places.show(situation.catalog.places)
      invitations.show(situation.invitations)
    case .post(let post, _): steps[post.id, default: ShownOrder()].show(post.steps)
    case .talk(let place, let post):
      oldest[TalkView(stream: place.stream, post: post?.id)] = nil
      guard let post else { return }
      comments[post.id, default: ShownOrder()].show(
        situation.commentLines(on: post.id, in: place.stream))
    case .posts, .value, .tags, .line, .groups, .group, .blocks, .archived, .filters, .settings,
      .levels, .account:
      break
    }
  }

  /// Takes note that an answer is shown.
  mutating func note(_ report: Report, _ answer: ReplicaAnswer, _ situation: Situation) {
    switch (report, answer) {
    case (.sessions, .sessions(let lines)): sessions.show(lines)
    case (.removedLists, .categories(let lists)):
      removedLists.show(ListLines.inOrder(lists))
      removedGroups.show(situation.catalog.removedGroups)
    case (.codes(let place), .codes(let lines)):
      codes[place.stream, default: ShownOrder()].show(ListLines.inOrder(lines))
    case (.olderTalk(let it), .history(.events(let page))):
      if let line = page.before ?? page.lines.last?.seq { oldest[it.view] = line }
    case (.links(let list), .links(let lines)):
      links[list.id, default: ShownOrder()].show(LinkLines.inOrder(lines))
    case (.bots, .bots(let bots)):
      for bot in bots {
        tokens[bot.id, default: ShownOrder()].show(bot.tokens)
        webhooks[bot.id, default: ShownOrder()].show(bot.webhooks)
      }
    default: break
    }
  }
}

extension TokenLine: Numbered {
  var shownName: TokenID { token.id }
}

extension Webhook: Numbered {
  var shownName: WebhookID { id }
}

extension UnsentCommand: Numbered {
  var shownName: Int64 { queued.number }
}

extension ListOrGroup: Numbered {
  var shownName: StreamID { stream }
}

extension Invitation: Numbered {
  var shownName: InvitationID { id }
}

extension SessionLine: Numbered {
  var shownName: SessionID { id }
}

extension CodeLine: Numbered {
  var shownName: InvitationID { invitation.id }
}

extension LinkLine: Numbered {
  var shownName: LinkID { link.id }
}

extension Group: Numbered {
  var shownName: GroupID { id }
}

extension TalkLine: Numbered {
  var shownName: Int64 { event }
}

extension Step: Numbered {
  var shownName: StepID { id }
}

extension Category: Numbered {
  var shownName: CategoryID { id }
}

// Tells in plain words what happened in a list or group, for receivers of webhooks that take texts. It tells what
// people are told (`notify`), so the same things are news everywhere.

import Domain
import Wire

/// Gathers the sentences of one delivery.
struct NewsTeller {
  /// The sentences of one message. More would only push others out of sight.
  private static let linesMax = 20
  /// The length of one message, in units of UTF-16 as all these are. Some receivers refuse one of more than 2 000. What
  /// people see as one character may have many units, so a short text of such would hold up all deliveries behind it.
  private static let lengthMax = 1_900
  /// The length of a title in a sentence.
  private static let titleMax = 100
  /// The length of a line of talk in a sentence.
  private static let talkMax = 300

  private let store: any EventStore
  private let stream: StreamID
  private var lines: [String] = []
  private var length = 0
  /// The number of sentences for which there is no room.
  private var left = 0
  private var isUrgent = false
  private var names: [UserID: String] = [:]
  private var posts: [PostID: String] = [:]

  init(_ store: any EventStore, _ stream: StreamID) {
    self.store = store
    self.stream = stream
  }

  /// The message. Nil when there is nothing to tell.
  var message: WebhookMessage? {
    get throws(StoreError) {
      guard !lines.isEmpty else { return nil }
      let rest = left > 0 ? ["… and \(left) more"] : []
      return .text(lines: lines + rest, title: try placeName(), isUrgent: isUrgent)
    }
  }

  mutating func tell(_ stored: StoredEvent) throws(StoreError) {
    let nobody = Viewer(user: .system, joinedSeq: 0)
    let event = try stored.decoded()
    for it in notify(event, in: stream, viewer: nobody) {
      if it.kind == .runFailed || it.kind == .runLost { isUrgent = true }
      guard left == 0, lines.count < NewsTeller.linesMax else {
        left += 1
        continue
      }
      guard let line = try sentence(it, event.ops[it.opIndex]), lines.last != line else { continue }
      guard length + line.utf16.count <= NewsTeller.lengthMax else {
        left += 1
        continue
      }
      lines.append(line)
      length += line.utf16.count + 1
    }
  }

  private mutating func sentence(_ it: Notification, _ op: Op) throws(StoreError) -> String? {
    let who = try it.by.map { (user) throws(StoreError) in try name(user) }
    let about = try it.user.map { (user) throws(StoreError) in try name(user) } ?? "somebody"
    let post = try it.post.map { (id) throws(StoreError) in try self.post(id) } ?? ""
    let by = who ?? "The server"
    return switch it.kind {
    case .added: "\(by) added \(post)"
    case .completed: "✓ \(by) completed \(post)"
    case .submitted: "\(by) says that \(post) is done"
    case .reopened: "\(by) reopened \(post)"
    case .removed: "\(by) removed \(post)"
    case .restored: "\(by) restored \(post)"
    case .stepCompleted: "\(by) completed steps of \(post)"
    case .partCompleted: "✓ \(about) completed a part of \(post)"
    case .reached: "\(about) got on with \(post)"
    case .claimed: "\(by) is on \(post)"
    case .released: "\(by) gave \(post) back"
    case .runOk: "✓ \(post) went well (\(about))"
    case .runRecovered: "✓ \(post) goes well again (\(about))"
    case .runFailed: "✘ \(post) failed (\(about))"
    case .runCancelled: "\(post) was cancelled (\(about))"
    case .runLost: "✘ \(post): \(about) is not heard of any more"
    case .joined: "\(about) joined"
    case .left: "\(about) is not here any more"
    case .categoryAdded: "\(by) added a list to the group"
    case .said: "\(by): \(NewsTeller.text(of: op))"
    case .commented: "\(by) on \(post): \(NewsTeller.text(of: op))"
    // Nobody is meant by these, as a receiver is nobody.
    case .invited, .removedFrom, .roleChanged, .assigned, .reminder, .planned, .snoozed, .dueSoon,
      .overdue, .digest, .webhookPaused, .reacted, .mentioned, .answered:
      nil
    }
  }

  /// Returns the text of a line of talk on one line, cut where it is too long.
  private static func text(of op: Op) -> String {
    guard case .line(.said(let it)) = op else { return "" }
    return beginning(of: it.text.split(whereSeparator: \.isNewline).joined(separator: " "), talkMax)
  }

  /// Returns a text, cut before the first character with which it would be longer than `most`.
  private static func beginning(of text: String, _ most: Int) -> String {
    guard text.utf16.count > most else { return text }
    var beginning = ""
    var rest = most
    for character in text {
      rest -= character.utf16.count
      if rest < 0 { break }
      beginning.append(character)
    }
    return beginning + "…"
  }

  // MARK: Names

  private mutating func name(_ user: UserID) throws(StoreError) -> String {
    if let known = names[user] { return known }
    var name = "somebody"
    let key = ObjectKey(kind: .member, id: user.uuid)
    if let body = try store.object(key, in: stream),
      case .member(let member) = try store.decodedObject(body), !member.name.isEmpty
    {
      name = member.name
    }
    names[user] = name
    return name
  }

  /// Returns number and title of a post as they are now: a title that was erased since is not told.
  private mutating func post(_ id: PostID) throws(StoreError) -> String {
    if let known = posts[id] { return known }
    var text = "a post that is gone"
    let key = ObjectKey(kind: .post, id: id.uuid)
    if let body = try store.object(key, in: stream),
      case .post(let post) = try store.decodedObject(body)
    {
      let title = NewsTeller.beginning(of: post.title, NewsTeller.titleMax)
      text = "#\(post.number)" + (title.isEmpty ? "" : " \(title)")
    }
    posts[id] = text
    return text
  }

  private func placeName() throws(StoreError) -> String {
    guard let body = try store.object(stream.headKey, in: stream) else { return "" }
    return switch try store.decodedObject(body) {
    case .category(let category): category.name
    case .group(let group): group.name
    default: ""
    }
  }
}

// The copy holds the newest lines of talk. The log has the others: a page of it is asked for at a time. A line that was
// changed later is shown with its last text, so the changes from the page on are asked for first. A line that was
// removed has no text in the log any more.

import Domain
import Screen
import Sync
import Wire

/// The question for older lines, with what was answered so far.
struct OlderTalk: Equatable {
  let place: ListOrGroup
  /// The post whose comments are asked for; nil for all that was said there.
  let post: Post?
  /// The number below which lines are wanted. Nil: all lines are.
  let before: Int64?
  /// The changes of lines by events from `before` on.
  var changes: [Event] = []
  /// The events of earlier pages in which nobody said anything that is still there.
  var earlier: [Event] = []
  /// Whether the changes are known, and lines are asked for.
  var asksForLines = false
  /// The number of pages that may be asked for. It ends a question that finds nothing, and one about more changes than
  /// people make: then a line may be shown as it was before its last change.
  var pagesLeft = 20

  var view: TalkView { TalkView(stream: place.stream, post: post?.id) }
}

extension Planner {
  func olderTalk(
    of reference: Reference?, about number: Int?, before: Int?
  ) throws(Problem) -> PlannedRequest {
    let (place, post) = try subject(reference, number)
    let view = TalkView(stream: place.stream, post: post?.id)
    let held = TalkLines.held(in: place.stream, about: post, situation).first {
      !situation.isPending($0, in: place.stream)
    }
    let begin =
      before.map { Int64($0) } ?? situation.shown.oldestLine(of: view) ?? held?.event
    // Without a line that is newer there is no change that is newer.
    let question = OlderTalk(
      place: place, post: post, before: begin, asksForLines: begin == nil)
    return request(question, before: nil)
  }

  /// Returns the list or group that is meant, and the post. Without words they are those of the view of talk.
  private func subject(
    _ reference: Reference?, _ number: Int?
  ) throws(Problem) -> (ListOrGroup, Post?) {
    if let number {
      let list = try situation.list(reference)
      return (.list(list), try situation.post(number, in: list))
    }
    let place = try situation.talked(reference)
    guard reference == nil, let id = situation.talking?.post else { return (place, nil) }
    return (place, situation.streams[place.stream]?.post(id))
  }

  private func request(_ question: OlderTalk, before: Int64?) -> PlannedRequest {
    let kinds: [OpKind] =
      question.asksForLines
      ? [.line(.said), .line(.edited), .line(.removed)] : [.line(.edited)]
    let query = HistoryEventsQuery(
      stream: question.place.stream, post: question.post?.id, kinds: kinds, before: before,
      limit: question.asksForLines ? Planner.eventsMax : Limits.listPageMax)
    return PlannedRequest(
      request: .query(.history(.events(query))), report: .olderTalk(question))
  }

  /// Returns the next question; nil when this page ends it.
  func olderTalk(
    _ question: OlderTalk, _ page: HistoryPage
  ) throws(Problem) -> [PlannedRequest]? {
    var next = question
    next.pagesLeft -= 1
    let events = try events(page)
    guard question.asksForLines else {
      let begin = question.before ?? 0
      next.changes += events.filter { $0.seq >= begin }
      if let before = page.before, before > begin, next.pagesLeft > 0 {
        return [request(next, before: before)]
      }
      next.asksForLines = true
      return [request(next, before: question.before)]
    }
    next.earlier += events
    guard let before = page.before, next.pagesLeft > 0, OlderTalk.merged(next.earlier).isEmpty
    else { return nil }
    return [request(next, before: before)]
  }
}

extension OlderTalk {
  /// Returns the lines that stand in the log, the oldest first.
  func talk(_ page: HistoryPage) throws(WireError) -> [TalkLine] {
    OlderTalk.merged(earlier + (try page.events()) + changes)
  }

  /// Makes lines of events as they are after all of them. Lines without a text were removed.
  static func merged(_ events: [Event]) -> [TalkLine] {
    var lines: [Int64: TalkLine] = [:]
    for event in events.sorted(by: { $0.seq < $1.seq }) {
      for case .line(let op) in event.ops {
        switch op {
        case .said(let it):
          guard let user = event.by else { continue }
          lines[it.line] = TalkLine(
            event: it.line, said: Stamp(at: event.at, by: user), text: it.text, post: it.post,
            answers: it.answers, mentions: it.mentions)
        case .edited(let line, let text, _, let mentions):
          lines[line]?.text = text
          lines[line]?.mentions = mentions
          lines[line]?.edited = event.at
        // The signs of a line leave with it.
        case .reacted: continue
        case .removed(let line, _, _): lines[line] = nil
        }
      }
    }
    return lines.values.filter { !$0.text.isEmpty }.sorted { $0.event < $1.event }
  }

  func lines(_ page: HistoryPage, _ situation: Situation) throws(WireError) -> [Line] {
    let talk = try talk(page)
    let number: Phrase = post.map { " \($0.number)" } ?? ""
    let hint: Phrase = "… there is more before: /talk \(place.label)" + number + " older"
    let more = page.before == nil ? [] : [Line(hint, .dim)]
    guard !talk.isEmpty else {
      let nothing: Phrase = "nothing older was said " + TalkLines.about(post, in: place)
      return more + [Line(nothing + " that you may read", .dim)]
    }
    var titles: [PostID: Phrase] = [:]
    for it in page.posts {
      titles[it.id] = it.title.isEmpty ? "#\(it.number)" : "#\(it.number) \(it.title)"
    }
    return more
      + TalkTable(talk, in: place.stream, about: post, titles: titles, situation).lines
  }
}

extension JSONOutput {
  /// Writes lines as those of `talk`, and `"before"?`, which `talk older` takes. An answer that cannot be read has no
  /// lines.
  static func olderTalk(
    _ question: OlderTalk, _ page: HistoryPage, _ situation: Situation,
    _ writer: inout JSONWriter
  ) {
    var lines: [TalkLine] = []
    do throws(WireError) { lines = try question.talk(page) } catch { lines = [] }
    writer.talk(lines, of: question.place, about: question.post, situation)
    if let before = page.before { writer.member("before", Int(before)) }
  }
}

// Checks of the rules for posts and talk, from the log alone: notes are not overwritten unseen, an undo brings back
// what was there, comments are counted, and a line is told once.

import Domain
import Sync
import Wire

extension Truth {
  /// Returns a sentence when a transaction that was appended does what it must not.
  func checkPosts(_ transaction: LedgerTransaction, _ tally: inout Tally) -> String? {
    let events = transaction.keys.flatMap(\.result.events)
    if let breach = strayed(events, &tally) { return breach }
    for key in transaction.keys {
      for position in key.result.events {
        guard let truth = streams[position.stream], position.seq <= truth.head else { continue }
        let event = truth.events[Int(position.seq) - 1]
        let sent = Sent(address: key.address, hash: key.hash)
        if let seen = notesSeen[sent], let breach = truth.unseen(event, seen, &tally) {
          return breach
        }
        if let meant = occurrencesMeant[sent], let breach = event.letsBeOver(another: meant, &tally)
        {
          return breach
        }
        if let move = movesMeant[sent], let breach = truth.misplaced(event, move, &tally) {
          return breach
        }
        if let breach = truth.miscounted(event, &tally) ?? truth.mistold(event, &tally) {
          return breach
        }
        if event.undoes.isEmpty { continue }
        let skipped = key.result.skipped ?? []
        if let breach = truth.notUndone(event, skipped, &tally) { return breach }
      }
    }
    return nil
  }
}

extension Truth {
  /// Checks P8: a post that moves between lists is never in two of them, nor in none. `positions` are all that was
  /// committed together.
  private func strayed(_ positions: [StreamPosition], _ tally: inout Tally) -> String? {
    let ops = positions.flatMap { position -> [Op] in
      guard let truth = streams[position.stream], position.seq <= truth.head else { return [] }
      return truth.events[Int(position.seq) - 1].ops
    }
    for case .post(.movedIn(let post, _)) in ops {
      let ends = ops.contains { op in
        if case .post(.removed(post.id, _, _, _)) = op { true } else { false }
      }
      let key = ObjectKey(kind: .post, id: post.id.uuid)
      let holders = streams.values.count { $0.state.objects[key] != nil }
      tally.count(.p8Moved)
      guard holders == 1 || ends && holders == 0 else {
        return "P8 \(post.id) is in \(holders) lists after it went to another"
      }
    }
    return nil
  }
}

extension StreamTruth {
  /// Returns the post before this event.
  func before(_ seq: Int64, _ post: PostID) -> Post? {
    guard case .post(let post) = states[Int(seq) - 1].object(.post, post.uuid) else { return nil }
    return post
  }

  /// Checks P10: the client makes sure that nobody overwrites notes that they have not seen.
  fileprivate func unseen(_ event: Event, _ seen: String, _ tally: inout Tally) -> String? {
    for case .post(.edited(let id, _, let edit)) in event.ops where edit.notes != nil {
      guard let post = before(event.seq, id) else { continue }
      tally.count(.p10Notes)
      if post.notes != seen {
        return "P10 \(event.key?.text ?? "none") overwrites notes that its author has not seen"
      }
    }
    return nil
  }

  /// Answers whether both posts have the same marks. Only assignments that count after this event matter: an undo does
  /// not keep one from before somebody left.
  private func hasMarks(_ was: Post, _ now: Post, _ seq: Int64) -> Bool {
    let people = [was, now].map { post in
      post.assignees.filter { assignment in
        let held = states[Int(seq)].object(.member, assignment.user.uuid)
        guard case .member(let member)? = held else { return false }
        return member.holds(assignment)
      }.map(\.user)
    }
    return was.tags == now.tags && people[0] == people[1] && was.submitted == now.submitted
      && was.parts.map(\.user) == now.parts.map(\.user) && hasAmounts(was, now, seq)
  }

  /// Answers whether everybody is as far in both posts. The amount of somebody who left, or came in anew, may stay.
  private func hasAmounts(_ was: Post, _ now: Post, _ seq: Int64) -> Bool {
    (was.entries + now.entries).allSatisfy { entry in
      guard case .member(let member)? = states[Int(seq)].object(.member, entry.user.uuid),
        member.role != nil, member.joinedSeq <= entry.seq
      else { return true }
      return was.amount(of: entry.user) == now.amount(of: entry.user)
    }
  }

  /// Checks P8: posts that only the undone events have touched are as they were before these events.
  fileprivate func notUndone(
    _ event: Event, _ skipped: [UndoSkip], _ tally: inout Tally
  ) -> String? {
    guard let first = event.undoes.first, first >= 1, event.undoes.allSatisfy({ $0 < event.seq })
    else { return "P8 \(state.stream) \(event.seq) undoes what is not before it" }
    let since = events[Int(first - 1)..<Int(event.seq - 1)]
    let undone = Set(event.undoes)
    // The move of a post to another list, and the erasing of a text, stay; then what came before them stays too.
    let others = Set(
      since.filter {
        !undone.contains($0.seq) || !$0.ops.erasedPosts.isEmpty
          || $0.ops.contains(where: \.movesBetweenLists)
      }.flatMap { $0.posts(in: state.stream) })
    let touched = Set(
      since.filter { undone.contains($0.seq) }.flatMap { $0.posts(in: state.stream) })
    let staying = staying(with: others, undoing: event.undoes)
    for post in touched.sorted() where !others.contains(post) {
      if let skip = skipped.first(where: { $0.post == post && $0.stream == state.stream }) {
        // The reason may be about an earlier event, which then is not among the undone ones.
        let isAlone = events[..<Int(first - 1)].allSatisfy {
          !$0.posts(in: state.stream).contains(post)
        }
        guard isAlone, skip.reason == .later, !staying.contains(post) else { continue }
        return "P8 \(state.stream) \(event.seq) leaves \(post), which nobody has changed since"
      }
      tally.count(.p8Undone)
      let now = before(event.seq + 1, post)
      let was = before(first, post)?.asUndone(in: now)
      let isSet =
        if let was, let now { was.hasFields(of: now) && hasMarks(was, now, event.seq) } else {
          was == nil && now == nil
        }
      guard isSet, was?.steps == now?.keptSteps, was?.position == now?.position,
        was?.completed?.by == now?.completed?.by,
        was?.completed?.at == now?.completed?.at
      else { return "P8 \(state.stream) \(event.seq) has not brought back \(post)" }
    }
    return nil
  }
}

extension StreamTruth {
  /// Returns the posts that this event is about.
  func posts(of seq: Int64) -> Set<PostID> {
    seq >= 1 && seq <= head ? Set(events[Int(seq) - 1].posts(in: state.stream)) : []
  }
}

extension Post {
  /// Returns what an undo may bring back of a post whose text was erased (protocol §5.6): a title, a goal or the text
  /// of a step that somebody wrote instead stays, and erased steps do not come back.
  fileprivate func asUndone(in now: Post?) -> Post {
    var post = self
    if title.isEmpty { post.title = now?.title ?? "" }
    if goal?.unit.isEmpty == true { post.goal = now?.goal }
    post.steps = steps.compactMap { step in
      guard step.content.isEmpty else { return step }
      return now?.keptSteps.first { $0.id == step.id }.map {
        Step(id: step.id, content: $0.content, finished: step.finished)
      }
    }
    return post
  }

  fileprivate var keptSteps: [Step] { steps.filter { !$0.content.isEmpty } }
}

extension Event {
  /// Returns the posts that its ops are about.
  fileprivate func posts(in stream: StreamID) -> [PostID] {
    ops.compactMap { $0.touches(in: stream).first }.filter { $0.kind == .post }.map {
      PostID($0.id)
    }
  }
}

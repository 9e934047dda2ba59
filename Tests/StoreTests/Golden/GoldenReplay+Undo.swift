import Domain
import Sync
import Testing
import Wire

@testable import Store

// The answers to what an undo asks the store, from a replay.

extension GoldenReplay {
  /// Returns the sum of the ops that take the event back, or the reason why there are none.
  func undo(_ event: Event, in stream: StreamID) -> String {
    guard let author = event.by else { return "system" }
    if case .user = stream { return "never" }
    var world = World(bytesMax: 0)
    let target = UndoTarget(stream: stream, events: [event.seq], seen: nil)
    for _ in 0..<100 {
      do throws(Halt) {
        let plan = try undoPlan(
          target, by: Actor(user: author, session: nil), at: event.at, in: &world)
        return plan.drafts.isEmpty ? "none" : Self.sum(plan.drafts.map { bytes($0, of: event) })
      } catch {
        switch error {
        case .refused: return "refused"
        case .needs(let needs): for need in needs { world.provide(need, answer(need)) }
        }
      }
    }
    Issue.record("the undo of event \(event.seq) of \(stream) asks for ever")
    return "asks"
  }

  /// Returns the draft's stream and the draft as an event of this transaction would say it.
  private func bytes(_ draft: Draft, of event: Event) -> [UInt8] {
    let undo = Event(
      seq: event.seq, transaction: event.transaction, at: event.at, by: event.by, key: nil,
      undoes: draft.undoes, ops: draft.ops)
    return Array("\(draft.stream) ".utf8) + EventCodec.encode(undo)
  }

  private func answer(_ need: Need) -> Loaded {
    switch need {
    case .head(let stream): .head(head(of: stream))
    case .object(let stream, let key): .object(rows(of: stream)[key]?.object)
    case .objects(let stream, let kind):
      .objects(rows(of: stream).filter { $0.key.kind == kind }.map(\.value.object))
    case .ranks(let stream, let kind):
      .ranks(
        rows(of: stream).filter { $0.key.kind == kind && $0.value.inState }
          .compactMap(\.value.object.rank).sorted())
    case .past(let position): .past(pasts[position])
    case .trails(let position): .trails(pasts[position]?.before.trails ?? [])
    case .commandEvents(_, let user, let key): .positions(commands["\(user) \(key.text)"] ?? [])
    case .username: .user(nil)
    case .account: .account(nil)
    case .sessions: .sessions([])
    case .bots: .users([])
    case .webhooks: .webhooks([])
    case .codeSpent: .flag(false)
    case .queue: .queue([])
    case .imported: .post(nil)
    }
  }

  private func rows(of stream: StreamID) -> [ObjectKey: StreamReplay.Row] {
    replays[stream]?.rows ?? [:]
  }

  private func head(of stream: StreamID) -> StreamHead? {
    outcomes.last { $0.stream == stream }.map {
      StreamHead(
        epoch: Epoch("golden"), seq: $0.event.seq, at: $0.event.at,
        transaction: $0.event.transaction)
    }
  }

  /// Returns the places where the posts of an event come from or go to. The log does not say it, but the other list's
  /// event of the same transaction does.
  func trails(of event: Event, in stream: StreamID) -> [PostTrail] {
    event.ops.compactMap(\.traveller).compactMap { post in
      let lists = travels[event.transaction, default: []].filter {
        $0.post == post && .category($0.list) != stream
      }.map(\.list)
      return lists.isEmpty ? nil : PostTrail(post: post, lists: lists)
    }
  }
}

extension Op {
  /// The post that goes to another list by this op, or comes from one.
  var traveller: PostID? {
    switch self {
    case .post(.movedOut(let id, _, _, _)): id
    case .post(.movedIn(let post, _)): post.id
    default: nil
    }
  }
}

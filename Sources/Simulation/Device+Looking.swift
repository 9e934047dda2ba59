// Somebody who looks at a list by a link: no user, who has nothing, sends nothing of their own and is told what a viewer of
// this one list is told. The truth counts them in from the event that makes the link to the one that ends it, so
// every checker of members' devices is one of theirs: they have what there is, and nothing of what comes after the end.

import Domain
import Sync
import Wire

extension Device {
  /// By a link that there is, or, while people act, by one that is over or that nobody has made.
  func look() {
    guard looks, token == nil else { return }
    let made = world.truth.links(at: world.moment.wall)
    guard !world.isCalm, world.chance.happens(200) else {
      if let it = world.chance.pick(made) { look(at: it.category, by: it.link) }
      return
    }
    let everMade = world.truth.order.compactMap(\.category).flatMap { category in
      (world.truth.streams[.category(category)]?.links ?? []).map { (category: category, link: $0) }
    }
    if let it = world.chance.pick(everMade) { return look(at: it.category, by: it.link) }
    look(by: "no link", as: UserID(world.chance.uuid()))
  }

  private func look(at category: CategoryID, by link: GuestLink) {
    look(by: SimCodes.book.linkText(link.id, category), as: link.guest)
  }

  /// P9: nothing but what a link is for.
  func answeredLooking(_ request: Request, _ result: Result<ReplicaAnswer, RequestFailure>) {
    guard case .success = result else {
      if case .failure(.refused(let error)) = result, error.kind == .forbidden {
        world.count(.p9LookRefused)
      }
      return
    }
    switch request {
    case .hello, .ping, .about, .open, .close, .ephemeral(.presence): break
    case .query(.posts(let query)) where query.show != .removed: world.count(.p9Looked)
    default: world.fail("P9 who looks by a link is answered to \(request)")
    }
  }
}

extension Workload {
  /// What somebody does who looks by a link, and what they should not.
  func look(_ device: Device) {
    let world = device.world
    guard let category = device.streams.first?.category, !world.chance.happens(60) else {
      // Another link, mostly.
      return world.chance.happens(500) ? device.stopLooking() : device.ask(.ping)
    }
    let post = device.objects(of: .category(category)).compactMap { object in
      if case .post(let post) = object { post.id } else { nil }
    }.first
    switch world.chance.below(7) {
    case 0, 1:
      let show = world.chance.pick(PostFilter.allCases) ?? .open
      device.ask(.query(.posts(PostsQuery(category: category, show: show, before: nil, limit: 50))))
    case 2:
      device.ask(
        .ephemeral(.presence(.category(category), isHere: world.chance.happens(700))))
    case 3: device.ask(.ephemeral(.typing(category, post, isTyping: true)))
    case 4: device.ask(.query(world.chance.happens(500) ? .profile : .members(.category(category))))
    case 5: device.ask(.query(.links(category)))
    default:
      let title = PostEdit(title: "by who only looks")
      let command =
        post.map { Command.editPost(category, $0, title, ifVersion: nil) }
        ?? .leave(.category(category), successor: nil)
      device.ask(.command(command, key: device.newKey(), base: nil))
    }
  }
}

extension Event {
  /// Why a link ends that ends by it.
  var endingOfLinks: Premise {
    for op in ops {
      switch op {
      case .memberRemoved, .memberGranted: return .p9LinkOfMaker
      case .link(.made): return .p9LinkOver
      default: continue
      }
    }
    return .p9LinkRevoked
  }
}

extension Truth {
  /// Why who looks as this guest is shown nothing.
  func ending(of guest: UserID, at now: Timestamp) -> Premise {
    for stream in order {
      guard let truth = streams[stream], let link = truth.links.first(where: { $0.guest == guest })
      else { continue }
      return truth.linkEnds[guest] ?? (link.isOver(at: now) ? .p9LinkOver : .p9LinkOfRemoved)
    }
    return .p9LinkUnknown
  }

  /// Those that show something at this moment.
  func links(at now: Timestamp) -> [(category: CategoryID, link: GuestLink)] {
    order.compactMap(\.category).flatMap { id -> [(category: CategoryID, link: GuestLink)] in
      guard let state = streams[.category(id)]?.state,
        case .category(let category) = state.object(.category, id.uuid), category.removed == nil
      else { return [] }
      return state.objects.keys.sorted().compactMap { key in
        guard case .link(let link) = state.objects[key], !link.isOver(at: now) else { return nil }
        return (category: id, link: link)
      }
    }
  }
}

import Domain
import Sync
import Wire

// The making and ending of links, and what somebody does who looks by one (Device+Looking).
extension Workload {
  /// Makes a link for whoever has its code, takes one back, or takes its maker's right away.
  func link(_ categories: [CategoryID], _ device: Device) -> Command? {
    let world = device.world
    let made = categories.flatMap { id in
      device.objects(of: .category(id)).compactMap { object in
        if case .link(let link) = object { (list: id, link: link) } else { nil }
      }
    }
    guard let it = world.random.pick(made), world.random.happens(820) else {
      return world.random.pick(categories).map {
        .link(.make(LinkID(world.random.uuid()), $0, NewLink(days: 1)))
      }
    }
    guard it.link.made.by != device.person.id else {
      let heir = world.random.pick(others(in: .category(it.list), of: device))
      return heir != nil && world.random.happens(850)
        ? .member(.leave(.category(it.list), successor: heir)) : .link(.revoke(it.link.id, it.list))
    }
    guard world.random.happens(930) else { return .link(.revoke(it.link.id, it.list)) }
    return world.random.happens(700)
      ? .member(.setRole(.category(it.list), it.link.made.by, .editor))
      : .member(.remove(.category(it.list), it.link.made.by))
  }

  /// Does what somebody does who looks by a link, and what they should not do.
  func look(_ device: Device) {
    let world = device.world
    guard let category = device.streams.first?.category, !world.random.happens(60) else {
      // Mostly it looks by another link then.
      return world.random.happens(500) ? device.stopLooking() : device.ask(.ping)
    }
    let post = device.objects(of: .category(category)).compactMap { object in
      if case .post(let post) = object { post.id } else { nil }
    }.first
    switch world.random.below(7) {
    case 0, 1:
      let show = world.random.pick(PostFilter.allCases) ?? .open
      device.ask(.query(.posts(PostsQuery(category: category, show: show, before: nil, limit: 50))))
    case 2:
      device.ask(
        .ephemeral(.presence(.category(category), isHere: world.random.happens(700))))
    case 3: device.ask(.ephemeral(.typing(category, post, isTyping: true)))
    case 4: device.ask(.query(world.random.happens(500) ? .profile : .members(.category(category))))
    case 5: device.ask(.query(.links(category)))
    default:
      let title = PostEdit(title: "by who only looks")
      let command =
        post.map { Command.editPost(category, $0, title, ifVersion: nil) }
        ?? .member(.leave(.category(category), successor: nil))
      device.ask(.command(command, key: device.newKey(), base: nil))
    }
  }
}

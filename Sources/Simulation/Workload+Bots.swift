import Domain
import Sync
import Wire

// The commands about one's own bots, and their tokens and webhooks.
extension Workload {
  mutating func bot(_ shared: [StreamID], _ device: Device) -> Command? {
    let world = device.world
    let mine = world.truth.bots(of: device.person.id)
    guard let bot = world.random.pick(mine), mine.count > 1 || world.random.happens(950) else {
      return .bot(
        .add(
          NewBot(
            id: UserID(world.random.uuid()), username: botName(world), name: "bot", zone: "UTC")))
    }
    let tokens = world.truth.accounts[bot]?.tokens ?? []
    switch world.random.below(20) {
    case 0...6:
      guard let name = world.truth.username(of: bot) else { return nil }
      return world.random.pick(shared).map {
        .invitation(
          .send(
            InvitationID(world.random.uuid()), $0, username: name,
            world.random.pick(Workload.roles) ?? .editor))
      }
    case 7...13: return .bot(.addToken(bot, TokenID(world.random.uuid()), token(shared, world)))
    case 14, 15:
      return world.random.pick(tokens).flatMap { $0.token }.map {
        .bot(.revokeToken(bot, $0.id))
      }
    case 16: return .bot(.end(bot))
    case 17, 18: return .bot(.keep(bot))
    default:
      return world.random.pick(world.people).map { .bot(.give(bot, to: $0.username)) }
    }
  }

  /// Returns a change of the webhooks of a bot of this person that is somewhere.
  func webhook(_ device: Device) -> Command? {
    let world = device.world
    let bots = world.truth.bots(of: device.person.id).filter { bot in
      world.truth.order.contains {
        world.truth.streams[$0]?.isMember(bot) == true && $0 != .user(bot)
      }
    }
    return world.random.pick(bots).flatMap { webhook(of: $0, device.streams, world) }
  }

  private func webhook(of bot: UserID, _ shared: [StreamID], _ world: Simulation) -> Command? {
    let known = (world.truth.accounts[bot]?.starts ?? [:]).keys.sorted()
    guard let id = world.random.pick(known), world.random.happens(600) else {
      guard let address = WebhookAddress(ofText: "https://chat.example.org/hook") else {
        return nil
      }
      let list = world.random.happens(300) ? world.random.pick(shared.compactMap(\.category)) : nil
      return .bot(
        .addWebhook(
          bot, WebhookID(world.random.uuid()),
          NewWebhook(
            name: "chat", address: address,
            form: world.random.pick(Webhook.Form.allCases) ?? .events,
            lists: list.map { [$0] })))
    }
    switch world.random.below(6) {
    case 0: return .bot(.removeWebhook(WebhookKey(bot: bot, id: id)))
    case 1: return .bot(.pauseWebhook(WebhookKey(bot: bot, id: id)))
    default: return .bot(.resumeWebhook(WebhookKey(bot: bot, id: id)))
    }
  }

  private func token(_ shared: [StreamID], _ world: Simulation) -> NewToken {
    let list = world.random.happens(300) ? world.random.pick(shared.compactMap(\.category)) : nil
    let methods: Set<Method>? =
      world.random.happens(150) ? [.post(.add), .post(.edit), .query(.posts)] : nil
    return NewToken(name: "program", lists: list.map { [$0] }, methods: methods, days: 1)
  }

  /// Lets somebody own a bot, as the operator does.
  static func giveBot(_ world: Simulation) {
    let bots = world.truth.accounts.keys.sorted().filter { user in
      world.truth.accounts[user]?.owner != nil
        || world.people.contains { $0.id == user && $0.kind == .bot }
    }
    guard let bot = world.random.pick(bots), let owner = world.random.pick(world.people) else {
      return
    }
    world.server?.post(.giveBot(bot, to: owner.id), .nobody)
  }
}

extension Truth {
  /// Returns the username in the newest profile of a user.
  func username(of user: UserID) -> String? {
    guard case .profile(let it) = streams[.user(user)]?.state.object(.profile, user.uuid) else {
      return nil
    }
    return it.username
  }
}

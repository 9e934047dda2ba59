// Webhooks are rows beside the log, as tokens are: these decisions write no events. The owner of a bot adds them. The
// bot's access counts at each delivery, so nothing here has to follow when the bot leaves a place. They go with the
// bot's tokens: when the bot is to end, or is given to somebody else.

func addWebhook(
  _ id: WebhookID, _ new: NewWebhook, to bot: UserID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let mark = UsedOnce.webhook(id, bot)
  try world.require([
    .profile(bot), .webhooks(bot), .codeSpent(mark), .objects(.user(bot), .membership),
  ])
  guard try owned(bot, by: caller, in: &world).endsAt == nil else {
    throw .refused(.gone("bot"))
  }
  guard try !world.isSpent(mark) else { throw .refused(.exists(field: "id")) }
  guard try world.webhooks(of: bot).count < Limits.webhooksPerBotMax else {
    throw .refused(.quota(limit: "webhooks", max: Limits.webhooksPerBotMax))
  }
  var webhook = Webhook(
    id: id, bot: bot, name: new.name, address: new.address, form: new.form, lists: new.lists,
    addedAt: caller.now, progress: WebhookProgress())
  let streams = try world.memberships(of: bot).map(\.stream).filter(webhook.isAbout).sorted()
  guard streams.count <= Limits.webhookStreamsMax else {
    throw .refused(.quota(limit: "webhookStreams", max: Limits.webhookStreamsMax))
  }
  // It begins with what comes next.
  try world.require(streams.map { .head($0) })
  for stream in streams { webhook.progress.cursors[stream] = try world.head(of: stream)?.seq ?? 0 }
  return Decision(accounts: [.webhookAdded(webhook), .codeSpent(mark, by: caller.user)])
}

func removeWebhook(
  _ key: WebhookKey, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  _ = try webhook(key, by: caller, in: &world)
  return Decision(accounts: [.webhooksRemoved([key.id], of: key.bot)])
}

func pauseWebhook(
  _ key: WebhookKey, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  var progress = try webhook(key, by: caller, in: &world).progress
  guard progress.pausedAt == nil else { return Decision() }
  progress.pausedAt = caller.now
  return setting(key, to: progress)
}

/// Lets a webhook go on from where it was.
func resumeWebhook(
  _ key: WebhookKey, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  var progress = try webhook(key, by: caller, in: &world).progress
  guard progress.pausedAt != nil || progress.trouble != nil else { return Decision() }
  progress.pausedAt = nil
  return setting(key, to: progress)
}

private func setting(_ key: WebhookKey, to progress: WebhookProgress) -> Decision {
  var progress = progress
  progress.trouble = nil
  progress.revision += 1
  return Decision(accounts: [.webhookSet(key, progress)])
}

private func webhook(
  _ key: WebhookKey, by caller: Caller, in world: inout World
) throws(Halt) -> Webhook {
  try world.require([.profile(key.bot), .webhooks(key.bot)])
  _ = try owned(key.bot, by: caller, in: &world)
  guard let webhook = try world.webhook(key) else { throw .refused(.notFound("webhook")) }
  return webhook
}

/// Notes how far a webhook has come. When it is paused from now on, its owner is told. Nothing happens when the webhook
/// is gone or has come so far already. When the owner has paused or resumed it since, that stays as it is.
package func note(
  _ progress: WebhookProgress, of key: WebhookKey, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.profile(key.bot), .webhooks(key.bot)])
  guard let known = try world.webhook(key)?.progress else { return Decision() }
  var progress = progress
  if progress.revision != known.revision {
    progress.revision = known.revision
    progress.pausedAt = known.pausedAt
    progress.trouble = known.trouble
  }
  guard progress != known else { return Decision() }
  var decision = Decision(accounts: [.webhookMoved(key, progress)])
  guard progress.pausedAt != nil, known.pausedAt == nil,
    let owner = try world.profile(of: key.bot)?.owner
  else { return decision }
  try world.require([.head(.user(owner))])
  if let head = try world.head(of: .user(owner)), !head.isDropped {
    decision.drafts = [
      Draft(stream: .user(owner), ops: [.personal(.webhookPaused(key.id, of: key.bot))])
    ]
  }
  return decision
}

extension World {
  fileprivate mutating func webhook(_ key: WebhookKey) throws(Halt) -> Webhook? {
    try webhooks(of: key.bot).first { $0.id == key.id }
  }

  /// Returns the removal of all webhooks of a bot. Empty when it has none.
  mutating func withoutWebhooks(of bot: UserID) throws(Halt) -> [AccountChange] {
    try require([.webhooks(bot)])
    let ids = try webhooks(of: bot).map(\.id)
    return ids.isEmpty ? [] : [.webhooksRemoved(ids, of: bot)]
  }
}

// Decides about a person's settings. They stand in the person's own `u:`.

func editSettings(
  _ edit: SettingsEdit, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let held = try world.settings(of: caller.user)
  var wanted = held
  for case .choose(let choice) in edit.levels {
    try check(choice, by: caller, in: &world)
  }
  wanted.apply(edit)
  if !edit.levels.isEmpty { try dropLevels(of: &wanted, by: caller, in: &world) }
  let news = SettingsEdit(from: held, to: wanted)
  guard news != SettingsEdit() else { return Decision() }
  return Decision(drafts: [Draft(stream: caller.stream, ops: [.personal(.settings(news))])])
}

/// Refuses a level of a place where the caller is not, and of a user who is nobody.
private func check(
  _ choice: LevelChoice, by caller: Caller, in world: inout World
) throws(Halt) {
  switch choice.about {
  case .category, .group:
    try world.require([.member(caller.user, of: choice.about)])
    guard try world.member(caller.user, of: choice.about)?.role != nil else {
      throw .refused(.notFound(choice.about.noun))
    }
  case .user(let user):
    guard user != caller.user else {
      throw .refused(.invalid(field: "level.about", reason: "is yourself"))
    }
    guard try world.profile(of: user) != nil else { throw .refused(.notFound("user")) }
  }
}

/// Takes out what holds no more. When there are too many choices, those about places that the person has left go too.
private func dropLevels(
  of settings: inout PersonalSettings, by caller: Caller, in world: inout World
) throws(Halt) {
  settings.levels.removeAll { !$0.holds(at: caller.now) }
  guard settings.levels.count > Limits.levelsMax else { return }
  let places = Set(try world.memberships(of: caller.user).map(\.stream))
  settings.levels.removeAll {
    if case .user = $0.about { false } else { !places.contains($0.about) }
  }
  guard settings.levels.count <= Limits.levelsMax else {
    throw .refused(.quota(limit: "levels", max: Limits.levelsMax))
  }
}

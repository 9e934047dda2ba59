import Domain
import Screen

// Plans how much one is told of a list, a group or somebody.

extension Planner {
  func level(_ wish: LevelWish) throws(Problem) -> PlannedRequest {
    let about = try about(wish.target)
    let until = try wish.until.map { (wish) throws(Problem) in try moment(wish) }
    if let until { try refuseOver(until) }
    let change: LevelChange =
      if let level = wish.level {
        .choose(LevelChoice(about: about, level: level, until: until))
      } else {
        .clear(about)
      }
    var edit = SettingsEdit()
    edit.levels = [change]
    return self.change(
      .account(.editSettings(edit)), situation.words(of: change), same: "that is so already")
  }

  private func about(_ target: LevelTarget) throws(Problem) -> StreamID {
    switch target {
    case .place(let reference): return try situation.place(reference).stream
    case .number(let number):
      let chosen = situation.chosenLevels
      guard chosen.indices.contains(number - 1) else {
        throw Problem("there is no \(number) in /mute")
      }
      return chosen[number - 1].about
    case .person(let username):
      let member = try situation.person(username)
      guard member.id != situation.me else { throw Problem("you are told nothing of yourself") }
      return .user(member.id)
    }
  }
}

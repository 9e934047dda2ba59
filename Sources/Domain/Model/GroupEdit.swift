/// The fields of a group that an edit sets. All others stay as they are.
package struct GroupEdit: Equatable, Sendable {
  package var name: String?
  package var talk: TalkSetting?

  package init(name: String? = nil, talk: TalkSetting? = nil) {
    self.name = name
    self.talk = talk
  }

  /// Makes the edit that brings the fields of one group to those of the other.
  init(from old: Group, to new: Group) {
    self.init(
      name: old.name == new.name ? nil : new.name, talk: old.talk == new.talk ? nil : new.talk)
  }
}

extension Group {
  func edited(by edit: GroupEdit) -> Group {
    var group = self
    group.name = edit.name ?? name
    group.talk = edit.talk ?? talk
    return group
  }
}

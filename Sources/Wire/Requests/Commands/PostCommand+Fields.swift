import Domain

// The parameters of the changes of a post, both ways. The arguments of a call are evaluated from left to right, so they
// are read in the order in which they stand (protocol §8).

extension PostMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .add: .post(.add(try params.newAddress(), try NewPost(params)))
    case .importUpsert: .post(.importUpsert(try params.importAddress(), try ImportedPost(params)))
    case .claimNext:
      .post(.claimNext(try params.read(.claimCategory), milliseconds: try params.lease()))
    case .edit: try .post(.change(params.address(), .edit(params), params))
    case .complete: try .post(.change(params.address(), .complete(params), params))
    case .reopen: try .post(.change(params.address(), .reopen, params))
    case .takeBack:
      try .post(.change(params.address(), .takeBack(event: params.read(.event)), params))
    case .skip:
      try .post(.change(params.address(), .occurrence(params.occurrence(), .skip), params))
    case .remove: try .post(.change(params.address(), .remove(params), params))
    case .restore: try .post(.change(params.address(), .restore, params))
    case .erase: .post(.change(try params.address(), .erase, ifVersion: nil))
    case .move: try .post(.change(params.address(), .move(params), params))
    case .moveTo: try .post(.change(params.address(), .moveTo(params.read(.otherCategory)), params))
    case .copy: try .post(.change(params.address(), .copy(params), params))
    case .tag: try .post(.change(params.address(), .tag(params.read(.newTag)), params))
    case .untag: try .post(.change(params.address(), .untag(params.read(.oldTag)), params))
    case .assign: try .post(.change(params.address(), .assign(params.read(.newAssignee)), params))
    case .unassign:
      try .post(.change(params.address(), .unassign(params.read(.oldAssignee)), params))
    case .claim:
      try .post(.change(params.address(), .claim(milliseconds: params.lease()), params))
    case .release: try .post(.change(params.address(), .release, params))
    }
  }
}

extension PostCommand {
  /// Reads the version behind a change of a post.
  static func change(
    _ address: PostAddress, _ change: PostChange, _ params: Params
  ) throws(Refusal) -> PostCommand {
    .change(address, change, ifVersion: try params.optional(.ifVersion))
  }

  func add(to fields: inout SortedFields) {
    switch self {
    case .add(let address, let new):
      fields.add(address)
      new.add(to: &fields)
    case .change(let address, let change, let version):
      fields.add(address)
      change.add(to: &fields)
      fields.add(.ifVersion, version)
    case .importUpsert(let address, let item):
      fields.add(address)
      item.add(to: &fields)
    case .claimNext(let category, let lease):
      fields.add(.claimCategory, category)
      fields.add(.lease, lease)
    }
  }
}

extension NewPost {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(title: try params.read(.title), notes: try params.read(.notes, or: ""))
    for member in PostMember.all { try member.ask(params, false, &fields) }
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.title, title)
    fields.add(.notes, notes.isEmpty ? nil : notes)
    for member in PostMember.all { member.addSorted(self.fields, &fields) }
  }
}

extension PostEdit {
  init(_ params: Params) throws(Refusal) {
    self.init(title: try params.optional(.title), notes: try params.optional(.editedNotes))
    for member in PostMember.all { try member.ask(params, true, &self) }
    try params.needsOne(from: "title", self != PostEdit())
    restart = try params.read(.restart, or: false)
  }
}

extension ImportedPost {
  fileprivate init(_ params: Params) throws(Refusal) {
    let origin = try params.read(.origin)
    var fields = PostEdit(
      title: try params.read(.title), notes: try params.optional(.editedNotes))
    for member in PostMember.all where Source.Field(rawValue: member.name) != nil {
      try member.ask(params, true, &fields)
    }
    self.init(source: origin.key, url: origin.url, fields: fields)
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.origin, PostOrigin(key: source, url: url))
    fields.add(self.fields)
  }
}

extension SortedFields {
  mutating func add(_ edit: PostEdit) {
    add(.title, edit.title)
    add(.editedNotes, edit.notes)
    for member in PostMember.all { member.addSorted(edit, &self) }
    add(.restart, edit.restart ? true : nil)
  }
}

extension Params {
  /// Reads where a post is going to be.
  fileprivate func newAddress() throws(Refusal) -> PostAddress {
    PostAddress(category: try read(.category), post: try read(.newPost))
  }

  /// Reads where a post is going to be if no import has brought it before.
  fileprivate func importAddress() throws(Refusal) -> PostAddress {
    PostAddress(category: try read(.category), post: try read(.importedPost))
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<PostID> {
  fileprivate static var newPost: Self { Self("id", S(), "the id of the new post") }

  fileprivate static var importedPost: Self {
    Self("id", S(), "the id of the new post, if one is added")
  }
}

extension Parameter where S == IDShape<CategoryID> {
  fileprivate static var claimCategory: Self {
    Self("category", S(), "the category of which a post is claimed")
  }

  static var otherCategory: Self {
    Self("to", S(), "another category, where the post is then")
  }

  static var copyCategory: Self {
    Self("to", S(), "the category of the copy: the same, or another")
  }
}

extension Parameter where S == IDShape<TagID> {
  static var newTag: Self { Self("tag", S(), "a tag of the category, which the post has then") }
  static var oldTag: Self { Self("tag", S(), "the tag that the post has no more") }
}

extension Parameter where S == IDShape<UserID> {
  static var newAssignee: Self { .user("a member, whose work the post is then") }
  static var oldAssignee: Self { .user("the person whose work the post is no more") }
}

extension Parameter where S == IntegerShape<Int64> {
  static var lease: Self {
    Self(
      "leaseMs", S(range: Int64(Limits.claimMillisecondsMin)...Int64(Limits.claimMillisecondsMax)),
      "how long the claim lasts, `claimMsMin` to `claimMsMax`; without it `claimMs`, an hour")
  }

  static var event: Self {
    Self(
      "event", S(range: 1...JSONNumber.integerMax),
      "the number of the event whose `post.occurred` says that the last occurrence was completed")
  }
}

extension Parameter where S == BoolShape {
  fileprivate static var restart: Self {
    Self("restart", S(), "true: what was done under another mode, contest or goal is taken back")
  }
}

extension Params {
  fileprivate func lease() throws(Refusal) -> Int64 {
    try read(.lease, or: Int64(Limits.claimMilliseconds))
  }
}

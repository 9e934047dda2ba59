extension EveryMethodTests.Setting {
  /// Makes a post that comes every week.
  func weekly() throws -> [String: Any] {
    let params: [String: Any] = ["category": list, "id": newID()]
    let fields: [String: Any] = [
      "title": "plants", "due": ["date": "2099-11-24"], "recurrence": ["rule": "FREQ=WEEKLY"],
    ]
    try author.client.change("post.add", params.merging(fields) { $1 })
    return params
  }
}

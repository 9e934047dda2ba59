// The requests that a report becomes (protocol §5.17). All of a report have one key, which follows from what the
// program says, so that a repeat takes effect once. The ids of post and run follow from their names.

package import Domain

/// The post that a report is about, as the list has it.
package enum HookSubject: Equatable, Sendable {
  /// The list has no such post. A new one gets this id.
  case new(PostID)
  /// The list has it, also where it is removed or has gone to another list.
  case known(PostID)

  package var post: PostID {
    switch self {
    case .new(let post), .known(let post): post
    }
  }

  var isKnown: Bool {
    if case .known = self { true } else { false }
  }
}

/// The requests that a report may become. All have the same key, so one of them takes effect, once.
package struct HookRequests: Equatable, Sendable {
  package let post: PostID
  /// The ways to say it, each as one request, or as a second one where its run is known already. The first way is sent.
  /// The other one is the way in which it was said if the post was new then, for a report that comes again.
  package let ways: [[RequestEnvelope]]
}

extension HookReport {
  /// The post of another program that the report is about. Nil for a post that is new each time.
  package var source: SourceKey? {
    switch kind {
    case .post: nil
    case .thing: SourceKey(name: fields["source"] ?? HookReport.things, id: fields["id"] ?? "")
    case .job(let job): SourceKey(name: HookReport.jobs, id: job.name)
    }
  }

  /// Returns the id of the post that the report adds. `attempt` counts from 0: where somebody has erased a post of that
  /// id, the next one is taken.
  package func newPost(in list: CategoryID, _ names: HookNames, attempt: Int) -> PostID {
    guard let source else { return PostID(names.id("post", [list.text, key(names)])) }
    return PostID(names.id("thing", [list.text, source.name, source.id, "\(attempt)"]))
  }

  /// Returns the requests that carry out the report in a list. Throws when one of its texts is not as it must be.
  package func requests(
    in list: CategoryID, about subject: HookSubject, _ names: HookNames
  ) throws(Failure) -> HookRequests {
    var ways = [try way(in: list, about: subject, names)]
    if case .known(let post) = subject {
      let first = try way(in: list, about: .new(post), names)
      if first != ways[0] { ways.append(first) }
    }
    return HookRequests(post: subject.post, ways: ways)
  }

  private func way(
    in list: CategoryID, about subject: HookSubject, _ names: HookNames
  ) throws(Failure) -> [RequestEnvelope] {
    let post = subject.post
    let key = key(names)
    switch kind {
    case .post:
      let command = HookCommand("post.add", list, post) { [fields] writer in
        fields.write(["title", "notes", "priority"], to: &writer)
        fields.writeDue(to: &writer)
      }
      return [try HookCommand.request([command], key: key)]
    case .thing(let done):
      let told = importing(subject, in: list, title: fields["title"] ?? "")
      let then = done.map { HookCommand($0 ? "post.complete" : "post.reopen", list, post) }
      return [try HookCommand.request([told] + [then].compactMap(\.self), key: key)]
    case .job(let job):
      var requests: [RequestEnvelope] = []
      for commands in commands(of: job, in: list, about: subject, names) {
        requests.append(try HookCommand.request(commands, key: key))
      }
      return requests
    }
  }

  private func importing(
    _ subject: HookSubject, in list: CategoryID, title: String
  ) -> HookCommand {
    HookCommand("import.upsert", list, subject.post) { [fields, source] writer in
      writer.key("source")
      writer.beginObject()
      writer.member("name", source?.name ?? "")
      writer.member("id", source?.id ?? "")
      writer.member("url", ifPresent: fields["url"])
      writer.endObject()
      writer.member("title", title)
      fields.write(["notes", "priority"], to: &writer)
      fields.writeDue(to: &writer)
    }
  }

  /// Returns the commands of a job, and those for a run that is known already. A post that is known keeps its title,
  /// notes and url, unless the report has a title.
  private func commands(
    of job: Job, in list: CategoryID, about subject: HookSubject, _ names: HookNames
  ) -> [[HookCommand]] {
    let post = subject.post
    let run = names.id(
      "run",
      [names.bot, list.text, job.name]
        + (fields["run"].map { ["named", $0] } ?? ["once", key(names)]))
    var opening = [HookCommand("post.reopen", list, post)]
    if !subject.isKnown || fields["title"] != nil {
      opening.insert(importing(subject, in: list, title: fields["title"] ?? job.name), at: 0)
    }
    let start = HookCommand("run.start", list, post) { [fields] writer in
      writer.member("run", run)
      writer.member("leaseMs", job.leaseMilliseconds)
      writer.member("phase", ifPresent: fields["phase"])
    }
    switch job.step {
    case .started: return [opening + [start]]
    case .phase:
      let phase = HookCommand("run.phase", list, post) { [fields] writer in
        writer.member("run", run)
        writer.member("phase", ifPresent: fields["phase"])
      }
      return [opening + [start, phase], opening + [phase]]
    case .over(let outcome):
      let end = HookCommand("run.end", list, post) { [fields] writer in
        writer.member("run", run)
        writer.member("outcome", outcome.rawValue)
        writer.member("text", ifPresent: fields["text"])
      }
      return [opening + [start, end], opening + [end]]
    }
  }

  /// Returns the key of the command. A repeat by the same Idempotency-Key has the same one.
  private func key(_ names: HookNames) -> String {
    let words = names.key.map { ["told", $0] } ?? ["fresh", names.fresh]
    return "hook:\(names.id("key", [names.bot] + words))"
  }
}

extension CategoryID {
  fileprivate var text: String { "\(uuid)" }
}

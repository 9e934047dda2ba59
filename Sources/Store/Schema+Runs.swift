// The step by which runs that go on are found (Domain/Model/PostRun.swift).
//
// post_running  an index of the posts that have one. A bit beside the body says which (Schema+Traits.swift). No post of
//               an earlier version has one.

import Domain
import Sync

extension Schema {
  static let runs =
    """
    CREATE INDEX post_running ON object(stream, number) WHERE \(RunSQL.isRunning);
    """
}

enum RunSQL {
  fileprivate static let isRunning = "kind = 6 AND \(PostTraits.run.sql)"
  static let liveRuns =
    """
    SELECT (SELECT name FROM stream WHERE stream.number = object.stream), body, sum
    FROM object INDEXED BY post_running WHERE \(isRunning) ORDER BY stream, number
    """
}

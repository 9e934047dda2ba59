import Domain
import Testing

@testable import Wire

extension Samples {
  static let failures: [Sample<(RequestID?, Failure)>] = [
    Sample("parse", (nil, .parse(JSONError(.unexpectedEnd, at: 20)))),
    Sample("invalid_request", (.number(7), .invalidRequest(.idInFlight))),
    Sample("invalid_request: hello again", (.number(7), .invalidRequest(.helloAgain))),
    Sample("unknown_method", (.number(7), .unknownMethod())),
    Sample(
      "unknown_method: others begin so",
      (.number(7), .unknownMethod([.tag(.add), .tag(.edit), .tag(.remove)]))),
    Sample("internal", (.number(7), .internal)),
    Sample("unauthenticated: before hello", (.number(7), .helloFirst)),
    Sample("unauthenticated: name, password or code", (.number(7), .credentials)),
    Sample("rate_limited", (.number(7), .rateLimited(afterMilliseconds: 1500))),
    Sample("unavailable", (.number(7), .unavailable(afterMilliseconds: 1000))),
    Sample("unknown_outcome", (.text("c-1"), .unknownOutcome)),
    Sample("draining", (.number(7), .draining)),
    refusal("invalid", .invalid(field: "title", reason: "is empty")),
    refusal(
      "invalid: at a place",
      .invalid(field: "title", reason: "holds U+202E at 12, which is not allowed", at: 12)),
    refusal("unauthenticated", .unauthenticated),
    refusal("forbidden", .forbidden("you are its only owner: make somebody else an owner first")),
    refusal("not_found", .notFound("category")),
    refusal("conflict", .conflict(cafe(version: 4))),
    refusal("conflict: in what was changed since", .overlap(cafe(version: 4), field: "steps")),
    refusal(
      "conflict: another run of the post goes on",
      .postConflict(running, "Another run of this post goes on.")),
    refusal(
      "conflict: there is work in the post",
      .postConflict(begunRace, "There is work in this post. Send restart: true to take it back.")),
    refusal(
      "conflict: somebody else has the step",
      .postConflict(takenCoop, "Somebody else has this step.")),
    refusal("gone", .gone("post")),
    refusal("moved", .moved(to: ID.category)),
    refusal("exists", .exists(field: "username")),
    refusal("exists: a member", .exists(field: "username", .member)),
    refusal("exists: invited", .exists(field: "username", .invited)),
    refusal("too_large", .tooLarge(field: "notes", max: 16384)),
    refusal("key_reused", .keyReused),
    refusal("quota", .quota(limit: "groups", max: 50)),
    refusal("stale_base", .staleBase),
    refusal("not_found: in a batch", .inBatch(index: 2, .notFound("post"))),
    refusal("conflict: in a batch", .inBatch(index: 0, .conflict(milk))),
  ]

  private static func refusal(
    _ name: String, _ refusal: Refusal
  ) -> Sample<(RequestID?, Failure)> {
    Sample(name, (.number(7), .refused(refusal)))
  }
}

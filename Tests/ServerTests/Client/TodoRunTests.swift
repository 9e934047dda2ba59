import Domain
import Foundation
import Net
import Sync
import Testing
import Wire
@testable import Client

@Suite("library: runs of posts")
struct TodoRunTests {
  private struct Bench {
    let server: TestServer
    let folder: Folder
    let todo: Todo
    let list: TodoList
    let post: TodoPost.ID

    init() throws {
      server = try TestServer()
      folder = Folder()
      try folder.signIn("author", at: server)
      todo = try Todo(state: folder.path, program: "test")
      try todo.waitUntilLevel()
      try todo.addList("builds").wait()
      list = try #require(todo.list(named: "builds"))
      let added = try todo.add("nightly", to: list)
      try added.wait()
      post = try #require(added.post)
    }

    func seen() throws -> TodoPost {
      try #require(todo.posts(in: list).first { $0.id == post })
    }

    func kind(_ act: () throws -> Void) -> String? {
      let error = #expect(throws: TodoError.self) { try act() }
      return error?.kind
    }
  }

  @Test("a run is shown at once, says its phase, and ends with an outcome")
  func whole() throws {
    let it = try Bench()
    defer { it.todo.close() }
    #expect(try it.seen().run == nil && it.seen().lastRun == nil)
    let start = try it.todo.startRun(of: it.post, in: it.list, phase: "compiling")
    #expect(try it.seen().run?.phase == "compiling", "before any answer")
    try start.receipt.wait()
    let me = try #require(it.todo.people(in: it.list).first)
    let run = try #require(try it.seen().run)
    #expect(run.id == start.run && run.person == me.id && run.startedAt > 0)
    #expect(TodoRun.ID(start.run.description) == start.run && TodoRun.ID("12") == nil)
    try it.todo.setPhase("linking", of: start.run, at: it.post, in: it.list).wait()
    #expect(try it.seen().run?.phase == "linking")
    try it.todo.endRun(
      start.run, as: .failed, text: "exit status 2", at: it.post, in: it.list
    ).wait()
    let post = try it.seen()
    let last = try #require(post.lastRun)
    #expect(post.run == nil && !post.isDone)
    #expect(last.id == start.run && last.person == me.id && last.outcome == .failed)
    #expect(last.text == "exit status 2" && last.usualMilliseconds == nil)
    #expect(last.startedAt == run.startedAt && last.endedAt >= last.startedAt)
  }

  @Test("Progress ends with the run, so that the next one begins without it")
  func progress() throws {
    let it = try Bench()
    defer { it.todo.close() }
    let start = try it.todo.startRun(of: it.post, in: it.list)
    try start.receipt.wait()
    it.todo.setProgress(TodoProgress(100), of: it.post, in: it.list)
    #expect(it.todo.client.until { _ in !it.todo.progress(of: it.post, in: it.list).isEmpty })
    try it.todo.endRun(start.run, as: .ok, at: it.post, in: it.list).wait()
    #expect(it.todo.client.until { _ in it.todo.progress(of: it.post, in: it.list).isEmpty })
  }

  @Test("a program that begins again has lost its run, and says later how that one went")
  func again() throws {
    let it = try Bench()
    defer { it.todo.close() }
    let first = try it.todo.startRun(of: it.post, in: it.list)
    try first.receipt.wait()
    let second = try it.todo.startRun(of: it.post, in: it.list)
    try second.receipt.wait()
    #expect(try it.seen().run?.id == second.run)
    #expect(try it.seen().lastRun?.id == first.run && it.seen().lastRun?.outcome == .lost)
    try it.todo.endRun(first.run, as: .ok, at: it.post, in: it.list).wait()
    #expect(try it.seen().lastRun?.outcome == .ok && it.seen().lastRun?.usualMilliseconds == nil)
    try it.todo.endRun(second.run, as: .ok, at: it.post, in: it.list).wait()
    #expect(try it.seen().lastRun?.id == second.run)
    #expect(try it.seen().lastRun?.usualMilliseconds != nil)
  }

  @Test("only the server says that a run is lost; ends and phases behind the end are refused")
  func refused() throws {
    let it = try Bench()
    defer { it.todo.close() }
    #expect(
      it.kind { try it.todo.startRun(of: it.post, in: it.list, leaseMilliseconds: 9) } == "invalid")
    let start = try it.todo.startRun(of: it.post, in: it.list)
    try start.receipt.wait()
    let run = start.run
    #expect(
      it.kind { try it.todo.endRun(run, as: .lost, at: it.post, in: it.list) } == "invalid")
    #expect(
      it.kind { try it.todo.setPhase(" \u{200B}", of: run, at: it.post, in: it.list) } == "invalid")
    try it.todo.endRun(run, as: .cancelled, text: " ", at: it.post, in: it.list).wait()
    #expect(try it.seen().lastRun?.outcome == .cancelled && it.seen().lastRun?.text == nil)
    #expect(
      it.kind { try it.todo.setPhase("x", of: run, at: it.post, in: it.list).wait() } == "conflict")
    #expect(
      it.kind { try it.todo.endRun(run, as: .ok, at: it.post, in: it.list).wait() } == "conflict")
    try it.todo.complete(it.post, in: it.list).wait()
    #expect(
      it.kind { try it.todo.startRun(of: it.post, in: it.list).receipt.wait() } == "conflict")
    #expect(it.todo.refused.isEmpty)
  }

  @Test("phases and words about the end are cleaned, and cut to their lengths")
  func texts() throws {
    let it = try Bench()
    defer { it.todo.close() }
    let long = " \u{200B}a\u{AD}b" + String(repeating: "x", count: 600)
    let start = try it.todo.startRun(of: it.post, in: it.list, phase: long)
    try start.receipt.wait()
    let phase = try #require(try it.seen().run?.phase)
    #expect(phase.hasPrefix("abx") && (100...120).contains(phase.unicodeScalars.count))
    try it.todo.endRun(start.run, as: .ok, text: long, at: it.post, in: it.list).wait()
    let text = try #require(try it.seen().lastRun?.text)
    #expect(text.hasPrefix("abx") && (480...500).contains(text.unicodeScalars.count))
  }

  @Test("the open post of a title is found however the title is written, and none that is done")
  func titles() throws {
    let it = try Bench()
    defer { it.todo.close() }
    for title in ["nightly", " nightly ", "night\u{200B}ly"] {
      #expect(it.todo.openPost(titled: title, in: it.list)?.id == it.post, "\(title)")
    }
    for title in ["Nightly", "night", "", " ", String(repeating: "x", count: 501), "a\nb"] {
      #expect(it.todo.openPost(titled: title, in: it.list) == nil, "\(title)")
    }
    try it.todo.add("nightly", to: it.list).wait()
    #expect(it.todo.openPost(titled: "nightly", in: it.list)?.number == 1)
    try it.todo.complete(it.post, in: it.list).wait()
    #expect(it.todo.openPost(titled: "nightly", in: it.list)?.number == 2)
  }
}

import Testing

@testable import Screen

@Suite("lines that came faster than anybody types")
struct BurstsTests {
  private func typed(_ text: String) -> Bursts.Burst { .typed(Array(text.utf8)) }

  @Test(
    "Typed keys pass at once",
    arguments: ["a", "\r", "\n", "oat milk", "\u{1B}[A", "\u{1B}[D\u{1B}[D", "\u{3}", "\t", "ä"])
  func passes(text: String) {
    var bursts = Bursts()
    #expect(bursts.receive(Array(text.utf8), now: 0) == [typed(text)])
    #expect(bursts.wait(now: 0) == nil)
  }

  @Test("A line that came with its enter is typed when nothing follows")
  func line() {
    for line in ["milk\r", "milk\r\n", "\u{1B}[Amilk\r", "milk\r\u{1B}[A"] {
      var bursts = Bursts()
      #expect(bursts.receive(Array(line.utf8), now: 0) == [])
      #expect(bursts.wait(now: 10) == 5)
      #expect(bursts.due(now: 14) == [])
      #expect(bursts.due(now: 15) == [typed(line)])
      #expect(bursts.wait(now: 15) == nil)
    }
  }

  static let pastes: [([String], String)] = [
    (["milk\rbread\r"], "milk\rbread\r"), (["milk\n", "bread"], "milk\nbread"),
    (["mi", "lk\rbre", "ad\r"], "lk\rbread\r"), (["\r/rm 1\r"], "\r/rm 1\r"),
    (["milk\u{1}\r/rm 1\r"], "milk\r/rm 1\r"), (["a\u{1B}[D\r/rm 1"], "a\r/rm 1"),
  ]

  @Test("Several lines at once are a paste, however they are split into reads", arguments: pastes)
  func paste(reads: [String], text: String) {
    var bursts = Bursts()
    var told: [Bursts.Burst] = []
    for (index, read) in reads.enumerated() {
      told += bursts.receive(Array(read.utf8), now: Int64(index) * 14)
    }
    #expect(told == (text.hasPrefix("lk") ? [typed("mi")] : []))
    #expect(bursts.due(now: 1_000) == [.pasted(text)])
  }

  @Test("A paste passes behind the keys that were held")
  func bracketed() {
    var bursts = Bursts()
    #expect(bursts.receive(Array("milk\r".utf8), now: 0) == [])
    let paste = "\u{1B}[200~a\rb\u{1B}[201~"
    #expect(bursts.receive(Array(paste.utf8), now: 1) == [typed("milk\r"), typed(paste)])
  }

  @Test("More than any paste is held no further")
  func long() {
    var bursts = Bursts()
    let bytes = Array(String(repeating: "milk\r", count: 50_000).utf8)
    for time in 0..<20 { _ = bursts.receive(bytes, now: Int64(time)) }
    guard case .pasted(let text)? = bursts.due(now: 100).first else {
      Issue.record("no paste")
      return
    }
    #expect(text.utf8.count > KeyParser.pasteBytesMax)
    #expect(text.utf8.count <= KeyParser.pasteBytesMax + bytes.count)
  }
}

import Domain
import Net
import Sync
import Testing
import Wire

@testable import Server

private func text(_ write: (inout MetricsText) -> Void) -> String {
  var text = MetricsText()
  write(&text)
  return String(decoding: text.bytes, as: UTF8.self)
}

@Suite("Prometheus text format 0.0.4")
struct MetricsTextTests {
  @Test("a family begins with its help and type, then come its samples")
  func family() {
    let page = text {
      $0.begin("a_total", .counter, "What it is.")
      $0.sample(.init("kind", "x"), .init("loop", "0"), value: 3)
      $0.sample(value: -1)
      $0.one("b_bytes", .gauge, "Another.", value: 7)
    }
    #expect(
      page == """
        # HELP a_total What it is.
        # TYPE a_total counter
        a_total{kind="x",loop="0"} 3
        a_total -1
        # HELP b_bytes Another.
        # TYPE b_bytes gauge
        b_bytes 7

        """)
  }

  @Test("backslash and line feed are escaped in help, quotes too in labels")
  func escapes() {
    let page = text {
      $0.begin("a", .gauge, "a \\ \"b\"\nc")
      $0.sample(.init("l", "a \\ \"b\"\nc"), value: 1)
    }
    #expect(page.contains(#"# HELP a a \\ "b"\nc"# + "\n"))
    #expect(page.contains(#"a{l="a \\ \"b\"\nc"} 1"# + "\n"))
  }

  @Test("a histogram counts up to each bound, then all, in base units")
  func histogram() {
    let histogram = Histogram(bounds: [1_000_000, 3_000_000_000])
    for value in [1_000_000, 2_000_000, 4_000_000_000] { histogram.note(value) }
    let page = text {
      $0.begin("t_seconds", .histogram, "T.")
      $0.histogram([], histogram.reading, bounds: histogram.bounds, unit: 1_000_000_000)
    }
    #expect(
      page == """
        # HELP t_seconds T.
        # TYPE t_seconds histogram
        t_seconds_bucket{le="0.001"} 1
        t_seconds_bucket{le="3.0"} 2
        t_seconds_bucket{le="+Inf"} 3
        t_seconds_sum 4.003
        t_seconds_count 3

        """)
  }

  @Test("every pair of method and outcome has its own number, and no other word is possible")
  func requests() {
    var seen: Set<[String]> = []
    for method in [nil] + Method.allCases.map(Optional.some) {
      for error in [nil] + ErrorKind.allCases.map(Optional.some) {
        let count = RequestCount(Answered(method, error))
        #expect(count.method == method?.name ?? "unknown")
        #expect(count.outcome == error?.rawValue ?? "ok")
        #expect(RequestCount.allCases[count.rawValue].rawValue == count.rawValue)
        seen.insert([count.method, count.outcome])
      }
    }
    #expect(seen.count == RequestCount.allCases.count)
  }
}

#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include "latency.h"
#include "messages.h"
#include "options.h"
#include "template.h"

void report_connecting(const struct sample *from, const struct sample *to) {
  double seconds = to->time - from->time;
  printf("{\"label\":\"%s\",\"mode\":\"%s\",\"conns\":%d", options.label, options.mode_name, options.connections);
  printf(",\"connect_s\":%.3f,\"connect_per_s\":%.0f,\"connect_cpu_us\":%.1f", seconds, census.total / seconds,
         server_cpu(from, to) * 1e6 / census.total);
}

static void print_traffic(double seconds) {
  printf(",\"window\":%d,\"size\":%d,\"secs\":%.2f", options.window, message_bytes, seconds);
  printf(",\"msgs\":%" PRIu64 ",\"msgs_per_s\":%.0f", counts.messages, (double)counts.messages / seconds);
  printf(",\"frames\":%" PRIu64 ",\"mb_per_s\":%.1f", counts.frames, (double)counts.bytes / seconds / 1e6);
  if (options.is_deflate)
    printf(",\"compressed\":%" PRIu64 ",\"wire_mb_per_s\":%.1f", counts.compressed,
           (double)counts.wire_bytes / seconds / 1e6);
  if (options.mode == MODE_FANOUT)
    printf(",\"pubs\":%d,\"published_per_s\":%.1f,\"acks\":%" PRIu64, options.publishers,
           (double)counts.published / seconds, counts.acknowledged);
  printf(",\"p50_us\":%.0f,\"p99_us\":%.0f,\"p999_us\":%.0f,\"max_us\":%.0f", latency_us(.5), latency_us(.99),
         latency_us(.999), latency_max_us());
}

static double per_million(double seconds) {
  return counts.messages ? seconds * 1e6 / (double)counts.messages : 0;
}

static void print_cost(const struct sample *from, const struct sample *to) {
  double seconds = to->time - from->time, cpu = server_cpu(from, to), own = to->own - from->own;
  printf(",\"server_cpu_s\":%.2f,\"server_cpu_s_per_m\":%.3f,\"server_user_share\":%.2f,\"server_cores\":%.2f", cpu,
         per_million(cpu), cpu > 0 ? (to->user - from->user) / cpu : 0, cpu / seconds);
  printf(",\"server_pss_kb\":%ld,\"threads\":%ld", to->proportional_kb, to->threads);
  printf(",\"client_cpu_s_per_m\":%.3f,\"client_cores\":%.2f", per_million(own), own / seconds);
  printf(",\"machine_busy_cores\":%.2f,\"softirq_cores\":%.3f", (to->machine_busy - from->machine_busy) / seconds,
         (to->soft_interrupts - from->soft_interrupts) / seconds);
}

static const char *judged_by(void) {
  if (options.mode == MODE_FANOUT) return "seq";
  switch (options.match) {
  case MATCH_EXACT: return "exact";
  case MATCH_MARKER: return "marker";
  case MATCH_ANY: return "any";
  }
  return "";
}

int report_load(const struct load *load) {
  int is_wrong = census.closed || counts.gaps || counts.duplicates || counts.corrupt || load->missing;
  print_traffic(load->end.time - load->begin.time);
  print_cost(&load->begin, &load->end);
  printf(",\"match\":\"%s\",\"gap\":%" PRIu64 ",\"dup\":%" PRIu64 ",\"corrupt\":%" PRIu64, judged_by(), counts.gaps,
         counts.duplicates, counts.corrupt);
  printf(",\"missing\":%" PRIu64 ",\"closed\":%d,\"ok\":%s}\n", load->missing, census.closed,
         is_wrong ? "false" : "true");
  return is_wrong ? 3 : 0;
}

int report_idle(const struct idle *idle, const struct sample *base) {
  double kb_per_connection = 1024.0 / census.total;
  const struct sample *end = &idle->end;
  printf(",\"alive\":%d,\"pong\":%d", census.ready, idle->answered);
  printf(",\"pss_base_kb\":%ld,\"pss_kb\":%ld", base->proportional_kb, end->proportional_kb);
  printf(",\"pss_per_conn_b\":%.0f", (double)(end->proportional_kb - base->proportional_kb) * kb_per_connection);
  printf(",\"rss_per_conn_b\":%.0f", (double)(end->resident_kb - base->resident_kb) * kb_per_connection);
  printf(",\"pss_per_conn_after_ping_b\":%.0f",
         (double)(idle->pinged.proportional_kb - base->proportional_kb) * kb_per_connection);
  printf(",\"slab_per_conn_both_ends_b\":%.0f", (double)(end->slab_kb - base->slab_kb) * kb_per_connection);
  printf(",\"idle_cpu_ms_per_s\":%.2f}\n",
         server_cpu(&idle->begin, end) * 1000 / (end->time - idle->begin.time));
  return census.closed || (!options.is_without_ping && idle->answered < census.total) ? 3 : 0;
}

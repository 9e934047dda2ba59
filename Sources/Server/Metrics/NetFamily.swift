internal import Net

/// The families of the network's counts, as the operator reads them.
enum NetFamily: CaseIterable {
  case connections, sockets, backlog
  case accepted, opened, compressed, handshakesOfTLS, ended, refused, answered, acceptPauses
  case messagesReceived, messagesSent, pingsReceived, pingsSent, pongsReceived
  case bytesReceived, bytesSent

  var name: String {
    switch self {
    case .connections: "whattodo_connections"
    case .sockets: "whattodo_sockets"
    case .backlog: "whattodo_backlog_bytes"
    case .accepted: "whattodo_accepted_total"
    case .opened: "whattodo_connections_opened_total"
    case .compressed: "whattodo_compressed_connections_total"
    case .handshakesOfTLS: "whattodo_tls_handshakes_total"
    case .ended: "whattodo_connections_ended_total"
    case .refused: "whattodo_refused_total"
    case .answered: "whattodo_http_answers_total"
    case .acceptPauses: "whattodo_accept_pauses_total"
    case .messagesReceived: "whattodo_messages_received_total"
    case .messagesSent: "whattodo_messages_sent_total"
    case .pingsReceived: "whattodo_pings_received_total"
    case .pingsSent: "whattodo_pings_sent_total"
    case .pongsReceived: "whattodo_pongs_received_total"
    case .bytesReceived: "whattodo_received_bytes_total"
    case .bytesSent: "whattodo_sent_bytes_total"
    }
  }

  var help: String {
    switch self {
    case .connections: "WebSocket connections that are open, by the loop that serves them."
    case .sockets: "Accepted sockets in whatever state, by loop."
    case .backlog: "Bytes that wait because peers do not read, by loop."
    case .accepted: "Sockets that were accepted and not dropped at once."
    case .opened: "WebSocket handshakes that succeeded."
    case .compressed: "Of these, such that compress messages."
    case .handshakesOfTLS: "TLS handshakes that succeeded."
    case .ended: "WebSocket connections that ended, by how."
    case .refused: "Connections and requests that were refused before a WebSocket was open, by why."
    case .answered: "HTTP requests that a route answered."
    case .acceptPauses: "Times that accepting rested because descriptors or memory ran out."
    case .messagesReceived: "WebSocket messages received."
    case .messagesSent: "WebSocket messages sent, each receiver counted."
    case .pingsReceived: "Pings received."
    case .pingsSent: "Pings sent."
    case .pongsReceived: "Pongs received."
    case .bytesReceived: "Bytes received from sockets, whatever they were."
    case .bytesSent: "Bytes sent to sockets, whatever they were."
    }
  }

  var kind: MetricsText.Kind {
    switch self {
    case .connections, .sockets, .backlog: .gauge
    case .accepted, .opened, .compressed, .handshakesOfTLS, .ended, .refused, .answered,
      .acceptPauses, .messagesReceived, .messagesSent, .pingsReceived, .pingsSent, .pongsReceived,
      .bytesReceived, .bytesSent:
      .counter
    }
  }

  /// Whether each loop has a line of its own.
  var isByLoop: Bool { kind == .gauge }
}

extension LoopCount {
  /// The family that it belongs to, and the reason that distinguishes it there. Nil for counts that no server makes.
  var place: (family: NetFamily, reason: String?)? {
    switch self {
    case .connections: (.connections, nil)
    case .sockets: (.sockets, nil)
    case .backlogBytes: (.backlog, nil)
    case .accepted: (.accepted, nil)
    case .opened: (.opened, nil)
    case .openedCompressed: (.compressed, nil)
    case .tlsHandshakes: (.handshakesOfTLS, nil)
    case .answered: (.answered, nil)
    case .acceptPauses: (.acceptPauses, nil)
    case .messagesIn: (.messagesReceived, nil)
    case .messagesOut: (.messagesSent, nil)
    case .pingsIn: (.pingsReceived, nil)
    case .pingsOut: (.pingsSent, nil)
    case .pongsIn: (.pongsReceived, nil)
    case .bytesIn: (.bytesReceived, nil)
    case .bytesOut: (.bytesSent, nil)
    case .endedClosed: (.ended, "closed")
    case .endedFailed: (.ended, "protocol_error")
    case .endedLost: (.ended, "lost")
    case .endedTimedOut: (.ended, "timed_out")
    case .endedAborted: (.ended, "aborted")
    case .endedUnprotected: (.ended, "tls_error")
    case .endedUnreachable, .endedRefused: nil
    case .refusedFull: (.refused, "full")
    case .refusedAddress: (.refused, "address_full")
    case .refusedDropped: (.refused, "dropped")
    case .refusedStopping: (.refused, "stopping")
    case .refusedHost: (.refused, "host")
    case .refusedOrigin: (.refused, "origin")
    case .refusedPath: (.refused, "path")
    case .refusedMethod: (.refused, "method")
    case .refusedMalformed: (.refused, "malformed")
    case .refusedTLS: (.refused, "tls")
    case .refusedHeadSize: (.refused, "head_too_large")
    case .refusedBodySize: (.refused, "body_too_large")
    case .refusedHandshake: (.refused, "handshake")
    case .refusedTimeout: (.refused, "timeout")
    case .refusedOther: (.refused, "other")
    }
  }
}

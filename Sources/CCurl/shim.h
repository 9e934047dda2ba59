#pragma once
// The door to libcurl.
#include <curl/curl.h>
#include <sys/socket.h>

// libcurl takes options through variadic functions, which Swift does not see. Each function here takes options of one
// type (curl.se/libcurl/c/curl_easy_setopt.html names the type of each option).

static inline CURLcode whattodo_curl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode whattodo_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode whattodo_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode whattodo_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

/// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION, whose functions have one shape.
static inline CURLcode whattodo_curl_set_receiver(CURL *easy, CURLoption option,
                                                  curl_write_callback value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode whattodo_curl_set_socket_opener(CURL *easy,
                                                       curl_opensocket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode whattodo_curl_get_number(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode whattodo_curl_multi_set_number(CURLM *multi, CURLMoption option,
                                                       long value) {
  return curl_multi_setopt(multi, option, value);
}

/// The address of which libcurl declares the first bytes only: it is as long as its `addrlen` says.
static inline const struct sockaddr *whattodo_curl_address(const struct curl_sockaddr *address) {
  return &address->addr;
}

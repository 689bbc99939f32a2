// Names and addresses of hosts, services and interfaces. Any answer that has the form of one.
//
// getaddrinfo finds one or two addresses; gethostbyname finds one. All threads share the tables of gethostbyname and
// its like, by ordinary accesses: these functions are not thread-safe. Each thread has its own text of inet_ntoa, as
// in glibc.
#define _GNU_SOURCE
#include "results.h"
#include "text.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>

// --- text and addresses ---

in_addr_t inet_addr(const char *text) {
  __heddle_read_string(text, SIZE_MAX);
  return (in_addr_t)__heddle_fresh_unsigned();
}

in_addr_t inet_network(const char *text) { return inet_addr(text); }

int inet_aton(const char *text, struct in_addr *to) {
  __heddle_read_string(text, SIZE_MAX);
  if (__heddle_fresh_bool()) return 0;
  __heddle_any_bytes(to, sizeof *to);
  return 1;
}

static _Thread_local char address_text[16];
char *inet_ntoa(struct in_addr address) { return any_text(address_text, sizeof address_text); }

static size_t address_bytes(int family) { return family == AF_INET6 ? 16 : 4; }

int inet_pton(int family, const char *text, void *to) {
  __heddle_read_string(text, SIZE_MAX);
  if (family != AF_INET && family != AF_INET6) return fail_with(EAFNOSUPPORT);
  if (__heddle_fresh_bool()) return 0;
  if (family == AF_INET6)
    __heddle_any_bytes(to, 16);
  else
    __heddle_any_bytes(to, 4);
  return 1;
}

const char *inet_ntop(int family, const void *from, char *to, socklen_t room) {
  __heddle_read_bytes(from, address_bytes(family));
  return __heddle_fresh_bool() ? any_text(to, room) : or_null(NULL);
}

// --- hosts ---

static void read_name(const char *name) {
  if (name) __heddle_read_string(name, SIZE_MAX);
}

// An answer and its address in one block.
struct found {
  struct addrinfo info;
  struct sockaddr_storage address;
};

static struct addrinfo *HEDDLE_PLAIN(new_answer)(struct addrinfo *next) {
  struct found *found = __heddle_allocate(sizeof *found);
  struct addrinfo *info = &found->info;
  info->ai_flags = 0;
  info->ai_family = __heddle_fresh_bool() ? AF_INET : AF_INET6;
  info->ai_socktype = __heddle_fresh_bool() ? SOCK_STREAM : SOCK_DGRAM;
  info->ai_protocol = __heddle_fresh_int();
  info->ai_addrlen = info->ai_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
  info->ai_addr = (struct sockaddr *)&found->address;
  info->ai_canonname = NULL;
  info->ai_next = next;
  __heddle_any_bytes(&found->address, sizeof found->address);
  return info;
}

static void HEDDLE_PLAIN(store_answer)(struct addrinfo **to, struct addrinfo *answer) { *to = answer; }

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  read_name(node);
  read_name(service);
  if (hints) __heddle_read_bytes(hints, sizeof *hints);
  if (__heddle_fresh_bool()) return any_in(EAI_SYSTEM, EAI_BADFLAGS);
  struct addrinfo *last = HEDDLE_PLAIN(new_answer)(NULL);
  if (__heddle_fresh_bool()) last = HEDDLE_PLAIN(new_answer)(last);
  HEDDLE_PLAIN(store_answer)(result, last);
  return 0;
}

static struct addrinfo *HEDDLE_PLAIN(next_answer)(const struct addrinfo *answer) { return answer->ai_next; }

void freeaddrinfo(struct addrinfo *answer) {
  while (answer) {
    struct addrinfo *next = HEDDLE_PLAIN(next_answer)(answer);
    __heddle_free(answer);
    answer = next;
  }
}

const char *gai_strerror(int code) { return "error"; }
const char *hstrerror(int code) { return "error"; }
void herror(const char *text) { read_name(text); }

static _Thread_local int host_error = 0;
int *__h_errno_location(void) { return &host_error; }

int getnameinfo(const struct sockaddr *address, socklen_t length, char *host, socklen_t host_room, char *service,
                socklen_t service_room, int flags) {
  __heddle_read_bytes(address, length);
  if (__heddle_fresh_bool()) return any_in(EAI_SYSTEM, EAI_BADFLAGS);
  if (host) any_text(host, host_room);
  if (service) any_text(service, service_room);
  return 0;
}

enum { NAME_ROOM = 64 };

static char host_name[NAME_ROOM], host_address[16];
static char *host_aliases[1] = {NULL}, *host_addresses[2] = {host_address, NULL};
static struct hostent host = {host_name, host_aliases, AF_INET, 4, host_addresses};

static void HEDDLE_PLAIN(fill_host)(void) {
  host.h_name = host_name;
  host.h_aliases = host_aliases;
  host.h_addrtype = AF_INET;
  host.h_length = 4;
  host.h_addr_list = host_addresses;
  host_addresses[0] = host_address;
  any_text(host_name, sizeof host_name);
  __heddle_any_bytes(host_address, 4);
}

static struct hostent *any_host(void) {
  if (__heddle_fresh_bool()) {
    host_error = any_in(HOST_NOT_FOUND, NO_DATA);
    return NULL;
  }
  HEDDLE_PLAIN(fill_host)();
  return &host;
}

struct hostent *gethostbyname(const char *name) {
  __heddle_read_string(name, SIZE_MAX);
  return any_host();
}

struct hostent *gethostbyname2(const char *name, int family) { return gethostbyname(name); }

struct hostent *gethostbyaddr(const void *address, socklen_t length, int family) {
  __heddle_read_bytes(address, length);
  return any_host();
}

static char service_name[NAME_ROOM], service_protocol[NAME_ROOM];
static char *service_aliases[1] = {NULL};
static struct servent service = {service_name, service_aliases, 0, service_protocol};

static void HEDDLE_PLAIN(fill_service)(void) {
  service.s_name = service_name;
  service.s_aliases = service_aliases;
  service.s_proto = service_protocol;
  service.s_port = any_in(0, 65535);
  any_text(service_name, sizeof service_name);
  any_text(service_protocol, sizeof service_protocol);
}

struct servent *getservbyname(const char *name, const char *protocol) {
  __heddle_read_string(name, SIZE_MAX);
  read_name(protocol);
  if (__heddle_fresh_bool()) return NULL;
  HEDDLE_PLAIN(fill_service)();
  return &service;
}

struct servent *getservbyport(int port, const char *protocol) {
  read_name(protocol);
  if (__heddle_fresh_bool()) return NULL;
  HEDDLE_PLAIN(fill_service)();
  return &service;
}

unsigned if_nametoindex(const char *name) {
  __heddle_read_string(name, SIZE_MAX);
  return (unsigned)any_in(0, INT_MAX);
}

int gethostname(char *to, size_t room) {
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  any_text(to, room);
  return 0;
}

int getdomainname(char *to, size_t room) { return gethostname(to, room); }

int sethostname(const char *from, size_t bytes) {
  __heddle_read_bytes(from, bytes);
  return zero_or_failure();
}

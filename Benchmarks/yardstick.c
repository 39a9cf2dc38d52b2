// How fast it could be: the least that a program must do to know the heart rates in a btsnoop file of H4, without any
// care for damage, other formats or reports. It reads 128 KiB at a time, recombines what comes in fragments, learns from
// the discovery which handle is the measurement's, and decodes every measurement.
//
//     cc -O2 -o yardstick yardstick.c && ./yardstick FILE
//
// The figures that it prints must be hrsnoop's.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { piece = 128 * 1024, longest_record = 24 + 65536, longest_pdu = 65536 + 4 };

static uint32_t big32(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, 4);
  return __builtin_bswap32(v);
}

static uint16_t little16(const uint8_t *p) {
  uint16_t v;
  memcpy(&v, p, 2);
  return v;
}

// The figures of one connection.
struct figures {
  uint16_t handle;
  uint64_t measurements, rates, intervals, interval_count;
  uint16_t least, most;
};

// An L2CAP PDU that comes in fragments.
struct assembly {
  uint8_t *octets;
  uint32_t have, wanted;
};

// What is known of a connection handle at present.
struct link {
  struct assembly assembly[2];
  int measurement_handle; // -1: not known yet
  size_t figures;
};

static struct link links[4096];
static struct figures *all;
static size_t all_count, all_room;
static uint64_t records, notifications, last_time;

static void open_connection(uint16_t handle) {
  if (all_count == all_room) {
    all_room = all_room ? all_room * 2 : 64;
    all = realloc(all, all_room * sizeof *all);
    if (!all) exit(1);
  }
  all[all_count] = (struct figures){.handle = handle, .least = UINT16_MAX};
  struct link *link = &links[handle];
  link->measurement_handle = -1;
  link->assembly[0].wanted = link->assembly[1].wanted = 0;
  link->figures = all_count++;
}

// Flags, rate, energy, intervals: HRS 1.0, 3.1.1.
static void heart_rate(struct figures *figures, const uint8_t *value, uint32_t count) {
  if (count < 2) return;
  uint8_t flags = value[0];
  uint32_t next = 2 + (flags & 1) + (flags & 8 ? 2 : 0);
  if (next > count) return;
  uint16_t rate = flags & 1 ? little16(value + 1) : value[1];
  figures->measurements++;
  figures->rates += rate;
  if (rate < figures->least) figures->least = rate;
  if (rate > figures->most) figures->most = rate;
  if (flags & 16)
    for (; next + 2 <= count; next += 2) {
      figures->interval_count++;
      figures->intervals += little16(value + next);
    }
}

static void att(struct link *link, const uint8_t *pdu, uint32_t count) {
  if (count < 3) return;
  if (pdu[0] == 0x1B) {
    notifications++;
    if (little16(pdu + 1) == link->measurement_handle) heart_rate(&all[link->figures], pdu + 3, count - 3);
  } else if (pdu[0] == 0x09 && pdu[1] == 7) { // characteristic declarations with 16-bit UUIDs
    for (uint32_t entry = 2; entry + 7 <= count; entry += 7)
      if (little16(pdu + entry + 5) == 0x2A37) link->measurement_handle = little16(pdu + entry + 3);
  }
}

static void l2cap(struct link *link, const uint8_t *pdu, uint32_t count) {
  if (little16(pdu + 2) == 4) att(link, pdu + 4, count - 4);
}

static void acl(const uint8_t *packet, uint32_t count, int received) {
  if (count < 4) return;
  uint16_t word = little16(packet);
  struct link *link = &links[word & 0xFFF];
  struct assembly *assembly = &link->assembly[received];
  const uint8_t *data = packet + 4;
  uint32_t length = count - 4;
  if ((word >> 12 & 3) != 1) {
    assembly->wanted = 0;
    if (length < 4) return;
    uint32_t wanted = 4 + little16(data);
    if (length == wanted) return l2cap(link, data, length);
    if (length > wanted) return;
    if (!assembly->octets && !(assembly->octets = malloc(longest_pdu))) exit(1);
    assembly->have = 0;
    assembly->wanted = wanted;
  }
  if (!assembly->wanted) return;
  if (assembly->have + length > assembly->wanted) {
    assembly->wanted = 0;
    return;
  }
  memcpy(assembly->octets + assembly->have, data, length);
  assembly->have += length;
  if (assembly->have == assembly->wanted) {
    l2cap(link, assembly->octets, assembly->wanted);
    assembly->wanted = 0;
  }
}

static void packet(const uint8_t *octets, uint32_t count, int received) {
  if (count == 0) return;
  if (octets[0] == 2) acl(octets + 1, count - 1, received);
  // LE Connection Complete, with success.
  if (octets[0] == 4 && count >= 7 && octets[1] == 0x3E && octets[3] == 1 && octets[4] == 0)
    open_connection(little16(octets + 5) & 0xFFF);
}

int main(int count, char **arguments) {
  int file = count == 2 ? open(arguments[1], O_RDONLY) : -1;
  if (file < 0) {
    fprintf(stderr, "usage: yardstick FILE\n");
    return 64;
  }
  static uint8_t buffer[piece + longest_record];
  size_t have = 0, header = 16;
  ssize_t more;
  while ((more = read(file, buffer + have, piece)) > 0) {
    have += (size_t)more;
    size_t at = header;
    if (have < header) continue;
    header = 0;
    while (at + 24 <= have) {
      uint32_t included = big32(buffer + at + 4);
      if (included > 65536 || at + 24 + included > have) break;
      last_time = (uint64_t)big32(buffer + at + 16) << 32 | big32(buffer + at + 20);
      packet(buffer + at + 24, included, big32(buffer + at + 8) & 1);
      at += 24 + included;
      records++;
    }
    memmove(buffer, buffer + at, have - at);
    have -= at;
  }
  printf("{\"records\": %llu, \"notifications\": %llu, \"last_time\": %llu, \"connections\": [",
         (unsigned long long)records, (unsigned long long)notifications, (unsigned long long)last_time);
  for (size_t i = 0; i < all_count; i++)
    printf("%s\n  {\"handle\": %u, \"measurements\": %llu, \"bpm_sum\": %llu, \"bpm_min\": %u, \"bpm_max\": %u, "
           "\"rr_count\": %llu, \"rr_sum\": %llu}",
           i ? "," : "", all[i].handle, (unsigned long long)all[i].measurements, (unsigned long long)all[i].rates,
           all[i].least, all[i].most, (unsigned long long)all[i].interval_count, (unsigned long long)all[i].intervals);
  printf("\n]}\n");
  return 0;
}

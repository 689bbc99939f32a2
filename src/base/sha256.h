// SHA-256 (FIPS 180-4) of a text in memory, for the hashes of files in witnesses.
#ifndef HEDDLE_BASE_SHA256_H
#define HEDDLE_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_HEX = 65 };

void sha256(const void *bytes, size_t count, uint8_t digest[SHA256_BYTES]);
// The digest as 64 lower-case hexadecimal digits and a zero.
void sha256_hex(const void *bytes, size_t count, char hex[SHA256_HEX]);

#endif

// recv may fill all of the room that it was promised.
#include <sys/socket.h>

int main(void) {
  char buffer[16];
  recv(3, buffer, 32, 0);
  return 0;
}

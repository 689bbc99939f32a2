// Addresses of variables of a loop's body, used in the round that they belong to only.
static void add(int *to, int what) { *to += what; }
static int *same(int *place) { return place; }

int main(void) {
  int sum = 0;
  int *place;
  for (int i = 0; i < 3; i++) {
    int local = i, pair[2] = {i, i};
    place = &local;
    add(same(place), pair[1]);
    add(&sum, *place);
  }
  return sum == 6 ? 0 : *(int *)0;
}

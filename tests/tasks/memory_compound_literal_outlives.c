// A compound literal lives in the block that it stands in.
int main(void) {
  int *place;
  {
    place = (int[]){1, 2};
    place[1] = 3;
  }
  return place[1];
}

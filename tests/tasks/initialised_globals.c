// Initialisers: nested, designated, strings, addresses of other globals, partial (the rest is zero).
extern void abort(void);
void reach_error(void) {}

int target = 3;
struct node {
  int value[3];
  const char *name;
  int *link;
} nodes[2] = {[1] = {.value = {[1] = 7}, .name = "one", .link = &target}, [0] = {{1, 2}, "nil", &nodes[1].value[1]}};

int main(void) {
  if (nodes[0].value[1] != 2 || nodes[0].value[2] != 0 || *nodes[0].link != 7)
    reach_error();
  if (nodes[1].value[0] != 0 || nodes[1].name[2] != 'e' || *nodes[1].link != 3)
    reach_error();
  return 0;
}

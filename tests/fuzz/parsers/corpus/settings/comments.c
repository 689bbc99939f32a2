int x; // heddle: ignore no-data-race, no-deadlock -- known
/* heddle: ignore */ int y;
char *s = "// heddle: ignore";
// heddle: ignore no-such-thing

// </script><img src=x onerror='stolen=1'><!-- & "quotes" \
// <b><i>bold</i></b> BYTES
#include <assert.h>
int x;
int main(void) {
  const char *s = "</script><script>stolen = 1</script>";
  x = s[0];
  assert(x != '<');
}

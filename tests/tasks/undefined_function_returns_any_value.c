// A function without a body that is no known library function returns any value of its type.
extern void abort(void);
extern unsigned char sensor_reading(void);
void reach_error(void) {}

int main(void) {
  if (sensor_reading() == 200)
    reach_error();
  return 0;
}

/** A clock that moves only when told to. */
export function fakeClock(start = "2026-06-01T12:00:00Z") {
  let now = new Date(start).getTime();
  const clock = () => new Date(now);
  return Object.assign(clock, {
    advance(seconds: number) {
      now += seconds * 1000;
    },
    seconds: () => Math.floor(now / 1000),
  });
}
export type FakeClock = ReturnType<typeof fakeClock>;

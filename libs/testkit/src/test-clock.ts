/** A clock that stands still until it is moved. Times are milliseconds since the epoch. */
export type TestClock = {
  now(): number;
  advance(ms: number): void;
  set(date: Date | string | number): void;
};

/** `start` without an offset is local time, so end it with `Z`. */
export function createTestClock(start = "2030-01-01T00:00:00.000Z"): TestClock {
  let current = parse(start);
  return {
    now: () => current,
    advance: (ms) => {
      current += ms;
    },
    set: (date) => {
      current = parse(date);
    },
  };
}

function parse(date: Date | string | number): number {
  const time = new Date(date).getTime();
  if (Number.isNaN(time)) throw new TypeError(`Not a date: ${String(date)}`);
  return time;
}

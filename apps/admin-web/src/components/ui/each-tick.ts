const everyMs = 30_000;

type Listener = (now: Date) => void;

const listeners = new Set<Listener>();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  const now = new Date();
  for (const listener of listeners) listener(now);
};

/** Calls the listener periodically with the current time, until the returned function is called. All listeners share one timer. */
export const eachTick = (told: Listener): (() => void) => {
  // Wraps the listener, so that the same function can be registered twice.
  const listener: Listener = (now) => told(now);
  listeners.add(listener);
  timer ??= setInterval(tick, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

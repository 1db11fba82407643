const everyMs = 30_000;

type Listener = (now: Date) => void;

const listeners = new Set<Listener>();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  const now = new Date();
  for (const listener of listeners) listener(now);
};

/** Tells somebody the time now and then, until what it gives is called. One clock serves all who ask. */
export const eachTick = (told: Listener): (() => void) => {
  // Who asks twice is told twice.
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

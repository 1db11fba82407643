/** Well below a minute, the smallest unit of relative times. */
export const everyMs = 10_000;

type Listener = () => void;

const listeners = new Set<Listener>();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  for (const listener of listeners) listener();
};

const start = (): void => {
  timer = setInterval(tick, everyMs);
  // Browsers slow down the timers of hidden pages, and stop those of sleeping devices.
  document.addEventListener("visibilitychange", tick);
};

const stop = (): void => {
  clearInterval(timer);
  timer = undefined;
  document.removeEventListener("visibilitychange", tick);
};

/**
 * Calls the listener periodically, and when the page is shown again, until the returned function is called. All listeners share one
 * timer.
 */
export const eachTick = (told: Listener): (() => void) => {
  // Wraps the listener, so that the same function can be registered twice.
  const listener: Listener = () => told();
  listeners.add(listener);
  if (timer === undefined) start();
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) stop();
  };
};

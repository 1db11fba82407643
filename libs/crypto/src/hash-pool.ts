/** Runs costly jobs a few at a time, so that a flood of sign-ins neither starves the process nor queues for ever. */
export interface HashPool {
  /**
   * Starts the job when a place is free, else in order of arrival, and settles as the job does. Rejects at once with
   * `HashPoolFullError`, without starting the job, when the queue is full.
   */
  run<T>(job: () => Promise<T>): Promise<T>;
  /** Jobs at this moment: started and unfinished, and not yet started. */
  stats(): { readonly running: number; readonly waiting: number };
}

/** The queue is full: try again in `retryAfterSeconds`, a whole number from 1. */
export class HashPoolFullError extends Error {
  override readonly name = "HashPoolFullError";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(`too many password hashes are waiting; try again in ${retryAfterSeconds} s`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Weight of the newest job in the running mean of job times. */
const newestWeight = 0.1;

/**
 * Makes a pool of `concurrency` places (whole, from 1) and a queue of `queueMax` (whole, from 0); throws `RangeError`
 * otherwise. `now` is a monotonic clock in milliseconds, read only to estimate when to try again.
 */
export function createHashPool(options: {
  readonly concurrency: number;
  readonly queueMax: number;
  readonly now?: () => number;
}): HashPool {
  const { concurrency, queueMax, now = () => performance.now() } = options;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new RangeError("concurrency must be at least 1");
  if (!Number.isSafeInteger(queueMax) || queueMax < 0)
    throw new RangeError("queueMax must be at least 0");

  const queue = createQueue(queueMax);
  let running = 0;
  let meanMilliseconds: number | undefined;

  /** Time until the whole queue and one job more have had a place. */
  function retryAfterSeconds(): number {
    const milliseconds = ((meanMilliseconds ?? 0) * (queue.size() + 1)) / concurrency;
    return Math.max(1, Math.ceil(milliseconds / 1000));
  }

  function finish(milliseconds: number): void {
    meanMilliseconds ??= milliseconds;
    meanMilliseconds += newestWeight * (milliseconds - meanMilliseconds);
    const startNext = queue.shift();
    // A place handed on stays taken, so that a newcomer cannot slip in before the one who waited.
    if (startNext === undefined) running -= 1;
    else startNext();
  }

  async function run<T>(job: () => Promise<T>): Promise<T> {
    if (running < concurrency) running += 1;
    else if (queue.size() === queueMax) throw new HashPoolFullError(retryAfterSeconds());
    else await new Promise<void>((start) => queue.push(start));

    const startedAt = now();
    try {
      return await job();
    } finally {
      finish(now() - startedAt);
    }
  }

  return { run, stats: () => ({ running, waiting: queue.size() }) };
}

/** A first-in first-out ring of fixed capacity; `push` must not be called when it is full. */
function createQueue(capacity: number) {
  const slots: (() => void)[] = [];
  let head = 0;
  let size = 0;
  return {
    size: () => size,
    push(start: () => void): void {
      slots[(head + size) % capacity] = start;
      size += 1;
    },
    shift(): (() => void) | undefined {
      if (size === 0) return undefined;
      const start = slots[head];
      head = (head + 1) % capacity;
      size -= 1;
      return start;
    },
  };
}

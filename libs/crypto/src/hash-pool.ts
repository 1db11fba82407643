/** Runs expensive jobs a few at a time, so that a flood of sign-ins neither starves the process nor queues forever. */
export interface HashPool {
  /**
   * Starts the job if a slot is free, otherwise in order of arrival, and settles as the job does. If the queue is full, rejects at once
   * with
   * `HashPoolFullError` and does not start the job.
   */
  run<T>(job: () => Promise<T>): Promise<T>;
  /** The current numbers of jobs: running, and queued. */
  stats(): { readonly running: number; readonly waiting: number };
}

/** The mark of every `HashPoolFullError`, whichever copy of this module created it. */
const mark = Symbol.for("latchkey.HashPoolFullError");

/** The queue is full. Try again in `retryAfterSeconds`, an integer of at least 1. */
export class HashPoolFullError extends Error {
  /** The bundle of a service contains a copy of this class. A configured `password.hash` may use another copy. */
  static override [Symbol.hasInstance](value: unknown): value is HashPoolFullError {
    return typeof value === "object" && value !== null && mark in value;
  }

  readonly [mark] = true;
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
 * Creates a pool with `concurrency` slots (an integer, at least 1) and a queue of `queueMax` (an integer, at least 0). Throws `RangeError`
 * for other values. `now` is a monotonic clock in milliseconds, used only to estimate when to try again.
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

  /** Estimates the time until the whole queue and one more job have started. */
  function retryAfterSeconds(): number {
    const milliseconds = ((meanMilliseconds ?? 0) * (queue.size() + 1)) / concurrency;
    return Math.max(1, Math.ceil(milliseconds / 1000));
  }

  function finish(milliseconds: number): void {
    meanMilliseconds ??= milliseconds;
    meanMilliseconds += newestWeight * (milliseconds - meanMilliseconds);
    const startNext = queue.shift();
    // The slot stays taken while it is handed over, so that a new job cannot overtake the queued one.
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

/** A first-in first-out ring of fixed capacity. `push` must not be called if it is full. */
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

import { setTimeout as delay } from "node:timers/promises";

export type UntilOptions = {
  timeoutMs?: number;
  intervalMs?: number;
  /** Completes "Waited in vain for ..." in the error. */
  describe?: string;
};

/**
 * Calls `condition` until it returns a truthy value, and resolves with that value. A condition that throws is called again. At the deadline
 * it throws, with the last value or, as `cause`, the last error. A condition that never settles does not block it.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  options: UntilOptions = {},
): Promise<NonNullable<T>> {
  const { timeoutMs = 30_000, intervalMs = 20, describe = "the condition" } = options;
  const deadline = performance.now() + timeoutMs;
  let last: { value: unknown } | { error: unknown } = { value: undefined };
  do {
    try {
      const value = await within(deadline - performance.now(), condition);
      if (value) return value;
      last = { value };
    } catch (error) {
      if (error !== tooLate) last = { error };
    }
    await delay(intervalMs);
  } while (performance.now() < deadline);
  const what = `Waited in vain for ${describe} (${timeoutMs} ms)`;
  if ("error" in last)
    throw new Error(`${what}; last error: ${String(last.error)}`, { cause: last.error });
  throw new Error(`${what}; last value: ${show(last.value)}`);
}

const tooLate = Symbol("too late");

async function within<T>(ms: number, condition: () => T | Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate), Math.max(ms, 1));
  try {
    return await Promise.race([condition(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

function show(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

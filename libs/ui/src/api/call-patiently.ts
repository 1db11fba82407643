import { isWorthRetrying, retryPauseMs } from "./retry.ts";

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });

/** Retries temporary failures as queries do. Use it for calls outside the query cache. */
export const callPatiently = async <T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (let failures = 0; ; failures += 1)
    try {
      return await read();
    } catch (error) {
      if (!isWorthRetrying(failures, error)) throw error;
      signal.throwIfAborted();
      await pause(retryPauseMs(failures, error), signal);
    }
};

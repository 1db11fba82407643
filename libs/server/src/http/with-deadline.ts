/** Runs `work` with a signal that aborts at the deadline, or when another signal aborts, with its reason. */
export const withDeadline = async <T>(
  { milliseconds, signal }: { milliseconds: number; signal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`No answer within ${milliseconds} ms`)),
    milliseconds,
  );
  // Not `AbortSignal.any`: a long-lived signal of the caller would retain one dependent signal for every verification.
  const follow = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", follow);
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason as Error));
  });
  // A custom `fetch` may ignore the signal. The call ends at the deadline all the same.
  aborted.catch(() => {});
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", follow);
  }
};

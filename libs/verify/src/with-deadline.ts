/** Gives `work` a signal that aborts at the deadline, or with another one and its reason. */
export const withDeadline = async <T>(
  { milliseconds, signal }: { milliseconds: number; signal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`No answer within ${milliseconds} ms`)),
    milliseconds,
  );
  // Not `AbortSignal.any`: a signal that lives as long as the caller would keep one for every verification.
  const follow = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", follow);
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason as Error));
  });
  // A `fetch` of the caller's own may not listen to the signal: the call ends all the same.
  aborted.catch(() => {});
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", follow);
  }
};

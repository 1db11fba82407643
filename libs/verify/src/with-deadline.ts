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
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", follow);
  }
};

/**
 * Returns a function that runs `work`, never twice at a time. Its promise resolves after a run that began after the call. Calls during a
 * run share the next one, because the current run may have read the session before their change. `work` must not reject.
 */
export const createRefresh = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;
  const refresh = (): Promise<void> => {
    if (!running)
      return (running = work().finally(() => {
        running = undefined;
      }));
    return (queued ??= running.then(() => {
      queued = undefined;
      return refresh();
    }));
  };
  return refresh;
};

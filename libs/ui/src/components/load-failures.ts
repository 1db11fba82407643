type Load = () => unknown;

const failed = new Set<Load>();
const listeners = new Set<() => void>();

const notify = (): void => {
  for (const listener of listeners) listener();
};

const retryAll = (): void => {
  for (const load of failed) load();
};

window.addEventListener("online", retryAll);

/** The modules of the page that could not be loaded. */
export const loadFailures = {
  add: (load: Load): void => {
    failed.add(load);
    notify();
  },
  /** Removes a module that has loaded. The others may load now, too. */
  resolve: (load: Load): void => {
    failed.delete(load);
    notify();
    retryAll();
  },
  exist: (): boolean => failed.size > 0,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

import { startTransition, useEffect, useState } from "react";
import { loadFailures } from "./load-failures.ts";

/** A module that loads after the first paint. */
export interface LazyModule<Loaded> {
  /** Loads the module if that has not succeeded yet. Resolves to whether it is loaded. */
  load(): Promise<boolean>;
  /** Returns the module, or undefined until it is loaded. Loads it when a component with this hook is first rendered. */
  useModule(): Loaded | undefined;
}

/**
 * Declares a module that loads after the first paint. A component shows what it can without it, because loading fails without a network,
 * and after an update of Latchkey.
 */
export const lazyModule = <Loaded extends object>(
  request: () => Promise<Loaded>,
): LazyModule<Loaded> => {
  let loaded: Loaded | undefined;
  let loading: Promise<boolean> | undefined;
  const listeners = new Set<() => void>();
  const tryOnce = async (): Promise<boolean> => {
    try {
      loaded = await request();
    } catch {
      loadFailures.add(load);
      return false;
    } finally {
      loading = undefined;
    }
    for (const listener of listeners) listener();
    loadFailures.resolve(load);
    return true;
  };
  const load = (): Promise<boolean> => (loaded ? Promise.resolve(true) : (loading ??= tryOnce()));
  return {
    load,
    useModule: () => {
      const [current, setCurrent] = useState(loaded);
      useEffect(() => {
        // A transition keeps the page responsive while many triggers get their popups.
        const listener = () => startTransition(() => setCurrent(loaded));
        listeners.add(listener);
        if (loaded) listener();
        else void load();
        return () => void listeners.delete(listener);
      }, []);
      return current;
    },
  };
};

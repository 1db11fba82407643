import { use } from "react";

/**
 * Returns a hook that reads a module, which loads when the hook is first called. Until then the component suspends. Afterwards the hook
 * returns at once, so that popups open without a delay.
 */
export const lazyModule = <Loaded>(load: () => Promise<Loaded>): (() => Loaded) => {
  let loaded: Promise<Loaded> | undefined;
  return () => use((loaded ??= load()));
};

import { type Child, type ChildModule, startChild } from "./child.ts";

/** Calls `work` with the processes and always ends them afterwards. */
export const withChildren = async <Name extends string, T>(
  modules: Readonly<Record<Name, ChildModule>>,
  work: (children: Record<Name, Child>) => Promise<T>,
): Promise<T> => {
  const started = Object.entries<ChildModule>(modules).map(
    ([name, module]) => [name, startChild(module)] as const,
  );
  try {
    // One for each name.
    return await work(Object.fromEntries(started) as Record<Name, Child>);
  } finally {
    await Promise.allSettled(started.map(([, child]) => child.stop()));
  }
};

const child = (name: string, environment: ChildModule["environment"] = {}): ChildModule => ({
  module: new URL(`../children/${name}.ts`, import.meta.url),
  environment,
});

export const stackModule = child("stack");
export const floorModule = child("floor");
export const cachedFloorModule = child("cached-floor");
export const fillerModule = child("filler");
export const verifyFloorModule = child("verify-floor");
export const scryptModule = child("scrypt");
export const signatureModule = child("signature");
export const peerModule = child("peer", { NODE_ENV: "production" });

import { buildSystem } from "./build-system.ts";
import { systemVariable } from "./system-under-test.ts";

let remove: (() => Promise<void>) | undefined;

/** Builds the code once before tests that run processes. */
export const setup = async (): Promise<void> => {
  const system = await buildSystem();
  remove = system.remove;
  process.env[systemVariable] = system.folder;
};

export const teardown = async (): Promise<void> => {
  await remove?.();
};

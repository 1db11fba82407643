import type { TestProject } from "vitest/node";
import { startInstallation } from "./installation.ts";

let stopInstallation: (() => Promise<void>) | undefined;

/** Vitest's global setup: one installation in containers for all files, which run one after the other. */
export const setup = async (project: TestProject): Promise<void> => {
  const { stop, ...installation } = await startInstallation();
  stopInstallation = stop;
  project.provide("installation", installation);
};

export const teardown = async (): Promise<void> => {
  await stopInstallation?.();
};

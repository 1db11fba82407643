import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives `work` an empty folder and removes it after it. */
export const inTemporaryFolder = async <T>(work: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
  await chmod(directory, 0o711); // under root, Postgres' own account has to pass through
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Calls `work` with an empty folder and removes it afterwards. */
export const inTemporaryFolder = async <T>(work: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
  await chmod(directory, 0o711); // as root, the account of Postgres needs access
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

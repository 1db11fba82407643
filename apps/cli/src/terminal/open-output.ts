import { type FileHandle, open, rm } from "node:fs/promises";
import { Refusal } from "./refusal.ts";
import { createLineWriter } from "./write-lines.ts";

const ownerOnly = 0o600;

/** Creates a file that only its owner may read. Rejects if it exists, also as a link. */
export const createOwnFile = (path: string): Promise<FileHandle> =>
  open(path, "wx", ownerOnly).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST")
      throw new Refusal(`${path} is there already, and is left as it is. Name another file.`);
    throw error;
  });

/**
 * Lets `work` write lines to a new file that only its owner may read, or to standard output. The file is on disk when this resolves, and
 * deleted if `work` fails.
 */
export const withOutput = async <T>(
  path: string | undefined,
  work: (write: (line: string) => Promise<void>) => Promise<T>,
): Promise<T> => {
  if (path === undefined) {
    const lines = createLineWriter(process.stdout);
    const result = await work(lines.write);
    await lines.end();
    return result;
  }
  const file = await createOwnFile(path);
  try {
    const lines = createLineWriter(file.createWriteStream({ autoClose: false }));
    const result = await work(lines.write);
    await lines.end();
    await file.sync();
    await file.close();
    return result;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
};

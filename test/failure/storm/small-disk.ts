import { execFile } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const chunk = Buffer.alloc(64 * 1024);

/** A disk of its own under a folder, in memory, that can be filled to the last byte. */
export interface SmallDisk {
  fill(): Promise<void>;
  empty(): Promise<void>;
  unmount(): Promise<void>;
}

const isFull = (error: unknown) => (error as { code?: unknown }).code === "ENOSPC";

/** Throws, saying why, where nothing can be mounted: that takes root, as in a container of a build. */
export const mountSmallDisk = async (folder: string, megabytes: number): Promise<SmallDisk> => {
  const options = `size=${megabytes}m,mode=0711`;
  await run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]).catch((cause: unknown) => {
    throw new Error(
      "A full disk needs a small one: `mount -t tmpfs` was refused. Run as root (`sudo npm test`, or `unshare --mount` of root), on Linux",
      { cause },
    );
  });
  const ballast = join(folder, "ballast");
  return {
    fill: async () => {
      const file = await open(ballast, "w");
      try {
        for (;;) await file.write(chunk);
      } catch (error) {
        if (!isFull(error)) throw error;
      } finally {
        await file.close();
      }
    },
    empty: () => rm(ballast, { force: true }),
    unmount: async () => {
      await run("umount", [folder]);
    },
  };
};

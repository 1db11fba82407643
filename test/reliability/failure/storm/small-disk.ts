import { execFile, execFileSync } from "node:child_process";
import { rmdirSync } from "node:fs";
import { mkdtemp, open, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const chunk = Buffer.alloc(64 * 1024);

/** A separate disk in memory, which can be filled completely. It does not outlive this process. */
export interface SmallDisk {
  folder: string;
  fill(): Promise<void>;
  empty(): Promise<void>;
  /** Works even if the disk is still in use. */
  remove(): void;
}

const isFull = (error: unknown) => (error as { code?: unknown }).code === "ENOSPC";

/** Throws with the reason if it cannot be mounted, which requires root, as in a build container. */
export const mountSmallDisk = async (megabytes: number): Promise<SmallDisk> => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-storm-disk-"));
  const options = `size=${megabytes}m,mode=0711`;
  await run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]).catch(
    async (cause: unknown) => {
      await rmdir(folder);
      throw new Error(
        "A full disk needs a small one: `mount -t tmpfs` was refused. Run as root (`sudo npm test`, or `unshare --mount` of root), on Linux",
        { cause },
      );
    },
  );
  const remove = () => {
    process.off("exit", remove);
    // Child processes of a killed server end a moment later.
    execFileSync("umount", ["--lazy", folder]);
    rmdirSync(folder);
  };
  process.on("exit", remove);
  const ballast = join(folder, "ballast");
  return {
    folder,
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
    remove,
  };
};

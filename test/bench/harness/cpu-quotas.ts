import { access, mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Limits on the CPU time of processes, by control groups of Linux. */
export interface CpuQuotas {
  /** Limits processes, with their later children, to a share of one core together. */
  limit(pids: readonly number[], share: number): Promise<void>;
  /** Lifts all limits. */
  lift(): Promise<void>;
}

/** The least quota that the kernel accepts. The period is as short as it permits, so that pauses are short. */
const quotaMicrosecondsMin = 1_000;

/** Writes a quota and its period in either version of control groups. */
type WriteQuota = (group: string, quota: number, period: number) => Promise<void>;

const writeFirst: WriteQuota = async (group, quota, period) => {
  await writeFile(join(group, "cpu.cfs_period_us"), String(period));
  await writeFile(join(group, "cpu.cfs_quota_us"), String(quota));
};

const writeSecond: WriteQuota = (group, quota, period) =>
  writeFile(join(group, "cpu.max"), `${quota} ${period}`);

const chooseVersion = async (mount: string): Promise<{ root: string; write: WriteQuota }> => {
  const controllers = await readFile(join(mount, "cgroup.controllers"), "utf8").catch(() => "");
  if (!controllers.split(/\s/).includes("cpu")) {
    const root = join(mount, "cpu");
    await access(join(root, "cpu.cfs_quota_us"));
    return { root, write: writeFirst };
  }
  await writeFile(join(mount, "cgroup.subtree_control"), "+cpu");
  return { root: mount, write: writeSecond };
};

/** Moves processes to a group. A process may have ended meanwhile. */
const move = async (group: string, pids: readonly number[]): Promise<void> => {
  for (const pid of pids)
    await writeFile(join(group, "cgroup.procs"), String(pid)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    });
};

const idsIn = async (group: string): Promise<number[]> => {
  const text = await readFile(join(group, "cgroup.procs"), "utf8");
  return text.split("\n").filter(Boolean).map(Number);
};

/** Returns undefined if this machine or account permits no limits. */
export const openCpuQuotas = async (mount = "/sys/fs/cgroup"): Promise<CpuQuotas | undefined> => {
  const groups: string[] = [];
  try {
    const { root, write } = await chooseVersion(mount);
    const create = async (): Promise<string> => {
      const group = join(root, `latchkey-bench-${process.pid}-${groups.length}`);
      await mkdir(group);
      groups.push(group);
      return group;
    };
    const lift = async () => {
      for (const group of groups.splice(0)) {
        await move(root, await idsIn(group));
        await rmdir(group);
      }
    };
    // Proves that groups can be created and limited here.
    await write(await create(), quotaMicrosecondsMin, 10 * quotaMicrosecondsMin);
    await lift();
    return {
      limit: async (pids, share) => {
        const group = await create();
        await write(group, quotaMicrosecondsMin, Math.round(quotaMicrosecondsMin / share));
        await move(group, pids);
      },
      lift,
    };
  } catch {
    return undefined;
  }
};

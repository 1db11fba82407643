import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCpuQuotas } from "./cpu-quotas.ts";

test("reports that a machine without control groups permits no limits", async () => {
  const mount = await mkdtemp(join(tmpdir(), "latchkey-cgroup-"));
  try {
    expect(await openCpuQuotas(mount)).toBeUndefined();
  } finally {
    await rm(mount, { recursive: true });
  }
});

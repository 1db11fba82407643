import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../../apps/cli/src/prove/report.ts";
import { childEnvironment } from "../../harness/child-environment.ts";
import { matrix, matrixTest } from "../../harness/matrix.ts";
import { openRows } from "../../harness/rows.ts";
import { latchkeyScript, runLatchkey } from "../../harness/run-latchkey.ts";
import { namesOf, proveSystem, runMilliseconds } from "./prove-system.ts";
import { admin, startDeployment } from "./systems.ts";

expectNoLeaks("file");

const leftIn = async (databaseUrl: string) => {
  const rows = openRows({ databaseUrl });
  try {
    return await rows.query(
      `select email as name from identity."user" where email like 'prove-%'
       union all select slug from organization.organization where slug like 'prove-%'
       union all select description from webhooks.endpoint where description like 'prove-%'`,
    );
  } finally {
    await rows.close();
  }
};

describe.each(matrix("redis", "postgres"))("with sessions in %s and two replicas", (stores) => {
  let system: Awaited<ReturnType<typeof startDeployment>>;
  beforeAll(async () => {
    system = await startDeployment(stores);
  });
  afterAll(() => system?.stop());

  matrixTest(
    "all checks pass, and no test data remains",
    async () => {
      const { results, ok, left: leftovers } = await proveSystem(system);
      expect(results.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
      expect([ok, leftovers]).toEqual([true, []]);
      expect(await leftIn(system.databaseUrl)).toEqual([]);
    },
    runMilliseconds,
  );

  test("checks of redirects and phones pass, and no test data remains", async () => {
    const { results, ok, left: leftovers } = await proveSystem(system, ["redirects", "phones"]);
    expect(results.length).toBeGreaterThan(1);
    expect(results.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
    expect([ok, leftovers]).toEqual([true, []]);
    expect(await leftIn(system.databaseUrl)).toEqual([]);
  });

  // The remaining tests are about the command and do not depend on the stores.
  if (stores === "postgres") return;

  test("reports a check that cannot run with the given arguments as not proven, without failing", async () => {
    const args = ["prove", "--url", system.gateway[0] ?? "", "--only", "counters", "--json"];
    const { code, stdout } = await runLatchkey(args, { folder: import.meta.dirname });
    const report = JSON.parse(stdout) as Report;
    expect(namesOf(report, "not proven")).toHaveLength(report.results.length);
    expect(report.results[0]?.figures).toContain("--apikey-url");
    expect(code).toBe(0);
  });

  test(
    "removes its test data when it is interrupted",
    async () => {
      const args = ["prove", "--url", system.gateway[0] ?? "", "--admin-email", admin.email];
      const child = spawn(process.execPath, [latchkeyScript(), ...args, "--only", "tenants"], {
        env: { ...childEnvironment(), LATCHKEY_ADMIN_PASSWORD: admin.password },
        stdio: ["ignore", "pipe", "ignore"],
      });
      const ended = once(child, "close") as Promise<[number | null]>;
      child.stdout.once("data", () => child.kill("SIGINT"));
      const said = await text(child.stdout);
      expect((await ended)[0]).toBe(1);
      expect(said).toMatch(/Interrupted\. .* removed; nothing is left\.\n$/);
      expect(await leftIn(system.databaseUrl)).toEqual([]);
    },
    runMilliseconds,
  );
});

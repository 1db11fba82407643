import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prove } from "../../../apps/cli/src/prove/prove.ts";
import type { Report } from "../../../apps/cli/src/prove/report.ts";
import { childEnvironment } from "../../harness/child-environment.ts";
import { matrix } from "../../harness/matrix.ts";
import { openRows } from "../../harness/rows.ts";
import { latchkeyScript, runLatchkey } from "../../harness/run-latchkey.ts";
import {
  admin,
  type Deployment,
  serviceToken,
  startFaultyDeployment,
  startDeployment,
} from "./systems.ts";
import { first, type Plant, second } from "./plants.ts";

expectNoLeaks("file");

/** The minimum sample size of the rank test. */
const samples = 10;
const toUrls = (urls: readonly string[]) => urls.map((url) => new URL(url));

const proveSystem = (system: Deployment): Promise<Report> =>
  prove({
    urls: toUrls(system.gateway),
    admin,
    keys: { urls: toUrls(system.keys), token: serviceToken },
    domain: "example.com",
    only: [],
    measure: { callers: 16, samples, fill: 32 },
    signal: new AbortController().signal,
    onResult: () => {},
  });

const namesOf = ({ results }: Report, wanted: string) =>
  results.filter(({ verdict }) => verdict === wanted).map(({ check }) => check);

const leftIn = async (databaseUrl: string) => {
  const rows = openRows({ databaseUrl });
  try {
    return await rows.query(
      `select email as name from identity."user" where email like 'prove-%'
       union all select slug from organization.organization where slug like 'prove-%'`,
    );
  } finally {
    await rows.close();
  }
};

/** A run waits for limits and cached sessions, and the machine may be busy. */
const runMilliseconds = 600_000;

describe.each(matrix("redis", "postgres"))("with sessions in %s and two replicas", (stores) => {
  let system: Awaited<ReturnType<typeof startDeployment>>;
  beforeAll(async () => {
    system = await startDeployment(stores);
  });
  afterAll(() => system?.stop());

  test(
    "all checks pass, and no test data remains",
    async () => {
      const { results, ok, left } = await proveSystem(system);
      expect(results.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
      expect([ok, left]).toEqual([true, []]);
      expect(await leftIn(system.databaseUrl)).toEqual([]);
    },
    runMilliseconds,
  );

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

/** A proof that cannot fail proves nothing, so each guard is removed, one of every class at a time. */
describe.each(
  matrix<readonly ["postgres" | "redis", "first" | "second", readonly Plant[]]>(
    ["postgres", "first", first],
    ["redis", "second", second],
  ),
)("a system with sessions in %s and the %s faults", (stores, name, plants) => {
  test(
    "fails exactly the checks of these faults",
    async () => {
      const system = await startFaultyDeployment(stores, name);
      try {
        const report = await proveSystem(system);
        const told = plants.flatMap((plant: Plant) => plant.told);
        expect(namesOf(report, "failed").toSorted()).toEqual(told.toSorted());
        expect(namesOf(report, "not proven")).toEqual([]);
        expect([report.ok, report.left]).toEqual([false, []]);
      } finally {
        await system.stop();
      }
    },
    runMilliseconds,
  );
});

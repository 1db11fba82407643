import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prove } from "../../scripts/prove/prove.ts";
import type { Report } from "../../scripts/prove/report.ts";
import { childEnvironment } from "../child-environment.ts";
import { openRows } from "../contract/identity-people.ts";
import { latchkeyScript, runLatchkey } from "../run-latchkey.ts";
import { admin, type House, serviceToken, startFaultyHouse, startHouse } from "./houses.ts";
import { first, type Plant, second } from "./plants.ts";

expectNoLeaks("file");

/** The least that the rank test can say something of. */
const samples = 10;
const toUrls = (urls: readonly string[]) => urls.map((url) => new URL(url));

const proveHouse = (house: House): Promise<Report> =>
  prove({
    urls: toUrls(house.door),
    admin,
    keys: { urls: toUrls(house.keys), token: serviceToken },
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
    return await rows.ask(
      `select email as name from identity."user" where email like 'prove-%'
       union all select slug from organization.organization where slug like 'prove-%'`,
    );
  } finally {
    await rows.close();
  }
};

/** A run waits for limits and cached sessions, and others may use the machine. */
const runMilliseconds = 600_000;

describe.each(["postgres", "redis"] as const)("with sessions in %s and two replicas", (stores) => {
  let house: Awaited<ReturnType<typeof startHouse>>;
  beforeAll(async () => {
    house = await startHouse(stores);
  });
  afterAll(() => house?.stop());

  test(
    "everything is proven, and nothing is left of it",
    async () => {
      const { results, ok, left } = await proveHouse(house);
      expect(results.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
      expect([ok, left]).toEqual([true, []]);
      expect(await leftIn(house.databaseUrl)).toEqual([]);
    },
    runMilliseconds,
  );

  // What follows is the command's own, and asks no store.
  if (stores === "postgres") return;

  test("what cannot be proven with what was given is said, and fails nothing", async () => {
    const args = ["prove", "--url", house.door[0] ?? "", "--only", "counters", "--json"];
    const { code, stdout } = await runLatchkey(args, { folder: import.meta.dirname });
    const report = JSON.parse(stdout) as Report;
    expect(namesOf(report, "not proven")).toHaveLength(report.results.length);
    expect(report.results[0]?.figures).toContain("--apikey-url");
    expect(code).toBe(0);
  });

  test(
    "what was made is removed when it is interrupted",
    async () => {
      const args = ["prove", "--url", house.door[0] ?? "", "--admin-email", admin.email];
      const child = spawn(process.execPath, [latchkeyScript(), ...args, "--only", "tenants"], {
        env: { ...childEnvironment(), LATCHKEY_ADMIN_PASSWORD: admin.password },
        stdio: ["ignore", "pipe", "ignore"],
      });
      const ended = once(child, "close") as Promise<[number | null]>;
      child.stdout.once("data", () => child.kill("SIGINT"));
      const said = await text(child.stdout);
      expect((await ended)[0]).toBe(1);
      expect(said).toMatch(/Interrupted\. .* removed; nothing is left\.\n$/);
      expect(await leftIn(house.databaseUrl)).toEqual([]);
    },
    runMilliseconds,
  );
});

/** A proof that cannot fail proves nothing: each guard is taken out, one of every class at a time. */
describe.each([
  ["postgres", "first", first],
  ["redis", "second", second],
] as const)("a house with sessions in %s and the %s faults", (stores, name, plants) => {
  test(
    "is told each of them, and nothing else",
    async () => {
      const house = await startFaultyHouse(stores, name);
      try {
        const report = await proveHouse(house);
        const told = plants.flatMap((plant: Plant) => plant.told);
        expect(namesOf(report, "failed").toSorted()).toEqual(told.toSorted());
        expect(namesOf(report, "not proven")).toEqual([]);
        expect([report.ok, report.left]).toEqual([false, []]);
      } finally {
        await house.stop();
      }
    },
    runMilliseconds,
  );
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { prove } from "../../scripts/prove/prove.ts";
import type { Report } from "../../scripts/prove/report.ts";
import { childEnvironment } from "../child-environment.ts";
import { openRows } from "../contract/identity-people.ts";
import { runLatchkey } from "../run-latchkey.ts";
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

describe.each(["postgres", "redis"] as const)("with sessions in %s and two replicas", (stores) => {
  test("everything is proven, and nothing is left of it", async () => {
    const house = await startHouse(stores);
    try {
      const { results, ok, left } = await proveHouse(house);
      expect(results.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
      expect([ok, left]).toEqual([true, []]);
      expect(await leftIn(house.databaseUrl)).toEqual([]);
    } finally {
      await house.stop();
    }
  }, 300_000);
});

/** A proof that cannot fail proves nothing: each guard is taken out, one of every class at a time. */
describe.each([
  ["postgres", "first", first],
  ["redis", "second", second],
] as const)("a house with sessions in %s and the %s faults", (stores, name, plants) => {
  test("is told each of them, and nothing else", async () => {
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
  }, 300_000);
});

describe("the command", () => {
  const inFolder = { folder: import.meta.dirname };
  const environment = { LATCHKEY_ADMIN_PASSWORD: admin.password };

  test("says what it could not prove with what it was given, and fails nothing for that", async () => {
    const house = await startHouse("redis");
    try {
      const args = ["prove", "--url", house.door[0] ?? "", "--only", "counters", "--json"];
      const { code, stdout } = await runLatchkey(args, inFolder);
      const report = JSON.parse(stdout) as Report;
      expect(namesOf(report, "not proven")).toHaveLength(report.results.length);
      expect(report.results[0]?.figures).toContain("--apikey-url");
      expect(code).toBe(0);
    } finally {
      await house.stop();
    }
  });

  test("removes what it made when it is interrupted", async () => {
    const house = await startHouse("redis");
    const script = join(import.meta.dirname, "..", "..", "scripts", "latchkey.ts");
    const args = ["prove", "--url", house.door[0] ?? "", "--admin-email", admin.email];
    const child = spawn(process.execPath, [script, ...args, "--only", "tenants"], {
      env: { ...childEnvironment(), ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const ended = once(child, "close") as Promise<[number | null]>;
      child.stdout.once("data", () => child.kill("SIGINT"));
      const said = await text(child.stdout);
      expect((await ended)[0]).toBe(1);
      expect(said).toMatch(/Interrupted\. .* removed; nothing is left\.\n$/);
      expect(await leftIn(house.databaseUrl)).toEqual([]);
    } finally {
      await house.stop();
    }
  });
});

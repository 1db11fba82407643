import { randomInt } from "node:crypto";
import { expect, inject, test } from "vitest";
import { runMalformed } from "./malformed/run-malformed.ts";
import { brokenOf } from "./report/verdict.ts";

/** A smaller run than that of `npm run abuse`. */
const requests = 400;
const testMs = 900_000;

test(
  "malformed requests crash no process, leave no data and lock no client out",
  async () => {
    const servers = { databaseUrl: inject("databaseUrl"), redisUrl: inject("redisUrl") };
    const seed = randomInt(2 ** 31);
    const lines: string[] = [];
    const say = (text: string) => lines.push(text);
    const broken = brokenOf(await runMalformed({ servers, requests, seed, say }));
    expect(broken, `seed ${seed}\n${lines.join("\n")}`).toEqual([]);
  },
  testMs,
);

import { randomInt } from "node:crypto";
import { expect, inject, test } from "vitest";
import { runMalformed } from "./malformed/run-malformed.ts";
import { brokenOf } from "./report/verdict.ts";

/** As `npm run abuse` does, with fewer. */
const requests = 1_000;
const testMs = 900_000;

test(
  "malformed requests end no process, leave nothing behind and shut nobody out",
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

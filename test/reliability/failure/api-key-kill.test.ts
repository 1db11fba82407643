import { setTimeout as delay } from "node:timers/promises";
import { operations } from "@latchkey/contracts";
import { createOperationClient, createServicePool } from "@latchkey/service-kit/http";
import { until } from "@latchkey/testkit";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createVerifier,
  type Verification,
  type Verifier,
} from "../../../libs/server/src/index.ts";
import { matrix, matrixTest } from "../../harness/matrix.ts";
import { openPool } from "../../harness/rows.ts";
import { useSystem } from "../../harness/use-system.ts";
import { password, signUp } from "../../harness/users.ts";

const serviceToken = "a service token for tests";
const replicas = [0, 1] as const;

/** Outcomes of the uses of a key under load. */
interface Storm {
  valid: number;
  refused: Set<string>;
  /** Uses whose answer was lost, so that only the store knows their outcome. */
  lost: number;
}

/** Without pauses, the load would take the processor from the replica that starts. */
const restMs = 5;
const restAfterLossMs = 50;

/** Starts workers that verify one key repeatedly at a verifier until they are stopped. */
const startStorm = (verifiers: readonly Verifier[], key: string, workers = 8) => {
  const storm: Storm = { valid: 0, refused: new Set(), lost: 0 };
  let isOver = false;
  const count = (result: Verification) => {
    if (result.ok) storm.valid += 1;
    else if (result.reason === "unavailable") storm.lost += 1;
    else storm.refused.add(result.reason);
  };
  const work = async (verifier: Verifier) => {
    while (!isOver) {
      const lost = storm.lost;
      count(await verifier.verify(key));
      await delay(storm.lost > lost ? restAfterLossMs : restMs);
    }
  };
  const working = Array.from({ length: workers }, (_, index) =>
    work(verifiers[index % verifiers.length] as Verifier),
  );
  return {
    storm,
    stop: async () => {
      isOver = true;
      await Promise.all(working);
      return storm;
    },
  };
};

describe.each(matrix("redis", "postgres"))("two replicas of the apikey service on %s", (stores) => {
  let pool: Pool;
  let userId: string;
  const { system } = useSystem({
    topology: "processes",
    stores,
    replicas: { apikey: 2 },
    environment: { SERVICE_TOKENS: `tests:${serviceToken}` },
  });
  beforeAll(async () => {
    pool = openPool(system.databaseUrl);
    userId = (await signUp(system)).user.id;
  });
  afterAll(async () => {
    await pool.end();
  });

  const createKey = async (limits: object) => {
    const service = createServicePool([system.urlOf("apikey")]);
    const client = createOperationClient({ pool: service, serviceToken });
    try {
      return await client.call(operations.apikey.createApiKeyFor, {
        body: { userId, ...limits },
      });
    } finally {
      await service.close();
    }
  };
  /** Sends to one replica only, without retries. */
  const verifierAt = (replica: number): Verifier => {
    const url = system.urlOf("apikey", replica);
    const once: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init).catch(
        (cause: unknown) =>
          // An answer with an unknown status, so that the verifier does not retry.
          new Response(String(cause), { status: 500 }),
      );
      return answer;
    };
    return createVerifier({ url, token: serviceToken, timeoutMilliseconds: 10_000, fetch: once });
  };
  const rowOf = async (id: string) => {
    const { rows } = await pool.query<{ remaining: number; requestCount: number }>(
      `select remaining, request_count as "requestCount" from apikey.api_key where id = $1`,
      [id],
    );
    const [row] = rows;
    if (!row) throw new Error("the key does not exist");
    return row;
  };
  const usesOf = async (id: string): Promise<number> => {
    const { rows } = await pool.query<{ valid: number }>(
      "select coalesce(sum(valid), 0)::integer as valid from apikey.key_usage where key_id = $1",
      [id],
    );
    return rows[0]?.valid ?? 0;
  };

  test("neither lose nor overspend the remaining uses of a key if killed under load", async () => {
    const uses = 1_000_000;
    const { id, key } = await createKey({ remaining: uses, rateLimitEnabled: false });
    const running = startStorm(replicas.map(verifierAt), key);
    for (const replica of [0, 1]) {
      const { valid } = running.storm;
      await until(() => running.storm.valid > valid + 50);
      await system.restart("apikey", replica, "SIGKILL");
    }
    const { valid, lost, refused } = await running.stop();
    const charged = uses - (await rowOf(id)).remaining;
    expect([...refused]).toEqual([]);
    expect(lost).toBeGreaterThan(0);
    // Each answered use was charged, and no charge exists without a request.
    expect(charged).toBeGreaterThanOrEqual(valid);
    expect(charged).toBeLessThanOrEqual(valid + lost);
  });

  matrixTest(
    "allow no more uses than remain and no more than the rate limit if killed under load",
    async () => {
      const limited = await createKey({
        remaining: 400,
        refillAmount: 1,
        refillInterval: 30_000,
        rateLimitEnabled: false,
      });
      const rated = await createKey({ rateLimitMax: 400, rateLimitTimeWindow: 86_400_000 });
      for (const { id, key, reason } of [
        { ...limited, reason: "exhausted" },
        { ...rated, reason: "rate-limited" },
      ]) {
        const running = startStorm(replicas.map(verifierAt), key);
        await until(() => running.storm.valid > 20);
        await system.restart("apikey", 0, "SIGKILL");
        await until(() => running.storm.refused.has(reason));
        await system.restart("apikey", 1, "SIGKILL");
        const { valid, lost, refused } = await running.stop();
        expect([...refused]).toEqual([reason]);
        expect(valid).toBeLessThanOrEqual(400);
        expect(valid + lost).toBeGreaterThanOrEqual(400);
        const { remaining, requestCount } = await rowOf(id);
        expect(reason === "exhausted" ? remaining : requestCount).toBe(
          reason === "exhausted" ? 0 : 400,
        );
      }
    },
  );

  matrixTest("can be restarted in turn under load, and exceed no limit", async () => {
    const uses = 1_000_000;
    const { id, key } = await createKey({ remaining: uses, rateLimitEnabled: false });
    const rated = await createKey({ rateLimitMax: 200, rateLimitTimeWindow: 86_400_000 });
    const url = replicas.map((replica) => system.urlOf("apikey", replica));
    const verifiers = [url, url.toReversed()].map((urls) =>
      createVerifier({ url: urls, token: serviceToken, timeoutMilliseconds: 10_000 }),
    );
    const running = [startStorm(verifiers, key), startStorm(verifiers, rated.key, 4)] as const;
    for (const replica of [0, 1]) {
      const { valid } = running[0].storm;
      await until(() => running[0].storm.valid > valid + 50);
      expect(await system.restart("apikey", replica, "SIGTERM")).toEqual({
        code: 0,
        signal: null,
      });
    }
    const [plenty, few] = [await running[0].stop(), await running[1].stop()];
    expect({ ...plenty, valid: 0 }).toEqual({ valid: 0, lost: 0, refused: new Set() });
    expect(uses - (await rowOf(id)).remaining).toBe(plenty.valid);
    expect(few).toEqual({ valid: 200, lost: 0, refused: new Set(["rate-limited"]) });
  });

  test("lose at most the counts of the last second when killed, and none when stopped", async () => {
    const { id, key } = await createKey({ rateLimitEnabled: false });
    const verifier = verifierAt(0);
    const answeredAt: number[] = [];
    let killedAt = Number.POSITIVE_INFINITY;
    const useUntilKilled = async () => {
      while (killedAt === Number.POSITIVE_INFINITY) {
        const { ok } = await verifier.verify(key);
        if (ok) answeredAt.push(performance.now());
        await delay(restMs);
      }
    };
    const using = useUntilKilled();
    const runMilliseconds = 1_300;
    await until(() => performance.now() > (answeredAt[0] ?? Infinity) + runMilliseconds);
    killedAt = performance.now();
    await system.restart("apikey", 0, "SIGKILL");
    await using;
    const useCount = await usesOf(id);
    const old = answeredAt.filter((at) => at < killedAt - 1_000);
    expect(old.length).toBeGreaterThan(0);
    expect(useCount).toBeGreaterThanOrEqual(old.length);
    expect(useCount).toBeLessThanOrEqual(answeredAt.length + 1);
    for (let time = 0; time < 10; time += 1) await verifier.verify(key);
    await system.restart("apikey", 0, "SIGTERM");
    expect(await usesOf(id)).toBe(useCount + 10);
  });

  test("refuse the keys of a banned and of a deleted user, even if they were down meanwhile", async () => {
    const signedUp = await signUp(system);
    const { key } = await createKey({ userId: signedUp.user.id, rateLimitEnabled: false });
    const verify = () => verifierAt(0).verify(key);
    expect(await verify()).toMatchObject({ ok: true });
    await system.end("apikey");
    // As an admin of the installation, while no service is notified.
    const { user, email, browser: admin } = await signUp(system);
    await pool.query(`update identity."user" set role = 'admin' where id = $1`, [user.id]);
    await admin.post("/sign-in/email", { email, password });
    const banned = await admin.post("/admin/ban-user", { userId: signedUp.user.id });
    expect(banned.status).toBe(200);
    await system.start("apikey");
    await until(async () => {
      const result = await verify();
      return !result.ok && result.reason === "banned";
    });
    const unbanned = await admin.post("/admin/unban-user", { userId: signedUp.user.id });
    expect(unbanned.status).toBe(200);
    await until(async () => (await verify()).ok);
    const removed = await admin.post("/admin/remove-user", { userId: signedUp.user.id });
    expect(removed.status).toBe(200);
    await until(async () => {
      const result = await verify();
      return !result.ok && result.reason === "unknown";
    });
    // The owner is marked as deleted before the rows are removed.
    const keysOf = "select from apikey.api_key where user_id = $1";
    await until(async () => (await pool.query(keysOf, [signedUp.user.id])).rowCount === 0);
  });
});

import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Ending } from "../../../apps/all-in-one/src/split/start-service-process.ts";
import { matrix, matrixTest } from "../../harness/matrix.ts";
import { openPool } from "../../harness/rows.ts";
import { useSystem } from "../../harness/use-system.ts";
import { newEmail, signUp } from "../../harness/users.ts";

const email = newEmail();
const requestCount = 100;
const stopMs = 10_000;

/** An answer, or the reason why there is none. */
type Outcome =
  | { status: number; body: unknown; connection: string | undefined }
  | { failure: string };

/** A request that the gateway has begun to read. */
interface InFlight {
  accepted: Promise<void>;
  outcome: Promise<Outcome>;
}

const failed = (error: Error): Outcome => ({ failure: String(error) });

const readAnswer = async (response: IncomingMessage): Promise<Outcome> => ({
  status: response.statusCode ?? 0,
  body: JSON.parse(await text(response)) as unknown,
  connection: response.headers.connection,
});

/** Sends `Expect: 100-continue`, which Node's server answers when it accepts a request. */
const requestMail = (url: string, agent: Agent): InFlight => {
  const body = JSON.stringify({ email });
  const sent = request(`${url}/send-verification-email`, {
    method: "POST",
    agent,
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      expect: "100-continue",
    },
  });
  const outcome = new Promise<Outcome>((resolve) => {
    sent.once("response", (response) => {
      readAnswer(response).then(resolve, (error: Error) => resolve(failed(error)));
    });
    sent.once("error", (error) => resolve(failed(error)));
  });
  const accepted = new Promise<void>((resolve) => {
    sent.once("continue", () => {
      sent.end(body);
      resolve();
    });
  });
  sent.flushHeaders();
  return { accepted, outcome };
};

const hasEndedWell = { code: 0, signal: null };

/** Returns how the processes ended. Fails if they take too long. */
const inTime = async (stopping: Promise<Ending[]>): Promise<Ending[]> => {
  let endings: Ending[] | undefined;
  const noted = stopping.then((ended) => {
    endings = ended;
  });
  await until(() => endings, { timeoutMs: stopMs, describe: "the end of the processes" });
  await noted;
  return endings ?? [];
};

describe.each(matrix("postgres", "redis"))("with sessions in %s, SIGTERM", (stores) => {
  let pool: ReturnType<typeof openPool>;
  const agent = new Agent({ keepAlive: true, maxSockets: requestCount });
  const { system } = useSystem({
    topology: "processes",
    stores,
    config: { rateLimit: { enabled: false } },
    absent: ["mailer"],
  });
  beforeAll(async () => {
    pool = openPool(system.databaseUrl);
    await signUp(system, { email });
  });
  beforeEach(async () => {
    for (const service of ["identity", "gateway"] as const) {
      await system.kill(service);
      await system.start(service);
    }
    await pool.query("delete from identity.outbox");
  });
  afterAll(async () => {
    agent.destroy();
    await pool?.end();
  });

  /** Locks the table of users. Returns the release function. */
  const holdUsers = async (): Promise<() => Promise<void>> => {
    const client = await pool.connect();
    await client.query("begin");
    await client.query("lock table identity.user in access exclusive mode");
    return async () => {
      await client.query("rollback");
      client.release();
    };
  };
  const isIdentityWaiting = async () => {
    const { rows } = await pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  };
  const isRefused = (url: string) =>
    fetch(url).then(
      () => false,
      () => true,
    );

  /** Sends a hundred requests that are blocked, calls `stop`, then unblocks them. */
  const stopUnderLoad = async (stop: () => Promise<Ending[]>) => {
    const letGo = await holdUsers();
    const inFlight = Array.from({ length: requestCount }, () => requestMail(system.url, agent));
    let ended: Promise<Ending[]>;
    try {
      await Promise.all(inFlight.map(({ accepted }) => accepted));
      await until(isIdentityWaiting, { describe: "a request that waits in identity" });
      ended = stop();
      await until(() => isRefused(`${system.url}/ok`), { describe: "the closing of the proxy" });
    } finally {
      await letGo();
    }
    const outcomes = await Promise.all(inFlight.map(({ outcome }) => outcome));
    return { outcomes, ended };
  };
  const countEvents = async () => {
    const { rows } = await pool.query<{ count: number }>("select count(*) from identity.outbox");
    return rows[0]?.count;
  };
  const answered = expect.objectContaining({ status: 200, body: { status: true } }) as unknown;
  const refused = expect.objectContaining({
    status: 503,
    body: expect.objectContaining({ code: "SERVICE_UNAVAILABLE" }) as unknown,
  }) as unknown;

  /** A proxy keeps connections open. One that stays open after its last answer delays the end until the deadline. */
  test("to the gateway, then to identity: a hundred requests in flight are all answered", async () => {
    const { outcomes, ended } = await stopUnderLoad(() => system.end("gateway"));
    expect(outcomes).toEqual(Array(requestCount).fill(answered));
    const closing = expect.objectContaining({ connection: "close" }) as unknown;
    expect(outcomes).toEqual(Array(requestCount).fill(closing));
    expect(await countEvents()).toBe(requestCount);
    expect(await inTime(ended)).toEqual([hasEndedWell]);
    expect(await inTime(system.end("identity"))).toEqual([hasEndedWell]);
  });

  matrixTest(
    "to both at once: a hundred requests in flight are each answered or refused whole",
    async () => {
      const { outcomes, ended } = await stopUnderLoad(async () =>
        (await Promise.all([system.end("gateway"), system.end("identity")])).flat(),
      );
      for (const outcome of outcomes)
        expect(outcome).toEqual("status" in outcome && outcome.status === 503 ? refused : answered);
      const done = outcomes.filter((outcome) => "status" in outcome && outcome.status === 200);
      expect(done.length).toBeGreaterThan(0);
      expect(await countEvents()).toBe(done.length);
      expect(await inTime(ended)).toEqual([hasEndedWell, hasEndedWell]);
    },
  );
});

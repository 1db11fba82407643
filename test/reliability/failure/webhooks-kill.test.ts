import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { operations } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { matrix, matrixTest } from "../../harness/matrix.ts";
import { callOperation, expectOk, serviceConfig } from "../../harness/operations.ts";
import { openPool } from "../../harness/rows.ts";
import { useSystem } from "../../harness/use-system.ts";
import { signUp, signUpAs, type TestUser } from "../../harness/users.ts";

expectNoLeaks("file");

const { webhooks } = operations;
/** Longer than BullMQ waits before it assigns a dead worker's job to another. */
const recoveryMs = 180_000;

/** How a receiver answers. */
type Mood = "accepts" | "fails" | "hangs" | "is slow";

/** Starts a receiver whose answers change, and that remembers the events which it has accepted. */
const startReceiver = async () => {
  const accepted: { id: string; type: string; userId: string }[] = [];
  const hanging = new Set<ServerResponse>();
  const state: { mood: Mood; requests: number } = { mood: "accepts", requests: 0 };
  const server: Server = createServer((request, response) => {
    text(request).then(
      (body) => {
        state.requests += 1;
        if (state.mood === "fails") return response.writeHead(500).end();
        if (state.mood === "hangs") return hanging.add(response);
        const { id, type, data } = JSON.parse(body) as {
          id: string;
          type: string;
          data: { userId: string };
        };
        const accept = () => {
          accepted.push({ id, type, userId: data.userId });
          response.writeHead(204).end();
        };
        return state.mood === "is slow" ? setTimeout(accept, 200) : accept();
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const stop = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url, accepted, state, hanging, stop };
};
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

describe.each(matrix("postgres", "own redis"))("with the bus on %s", (stores) => {
  let pool: Pool;
  let admin: TestUser;
  let receiver: Receiver;

  const { system } = useSystem(async () => {
    receiver = await startReceiver();
    return {
      topology: "processes",
      stores,
      config: { ...serviceConfig, rateLimit: { enabled: false } },
    };
  });
  beforeAll(async () => {
    pool = openPool(system.databaseUrl);
    admin = await signUpAs(system, "admin");
    await expectOk(
      callOperation(admin, webhooks.adminCreateWebhook, { body: { url: receiver.url } }),
    );
  });
  afterAll(async () => {
    await pool?.end();
    await receiver?.stop();
  });
  afterEach(() => {
    receiver.state.mood = "accepts";
  });

  /** Ends the waits that protect a delivery from being sent twice or too often. */
  const endWaits = () =>
    pool
      .query("update webhooks.lane set lease_until = null, due_at = now()")
      .then(() => pool.query("update webhooks.endpoint set rest_until = null"));
  /** The types of the accepted events about a user, each once, in the order of their first arrival. */
  const typesOf = ({ user }: TestUser): string[] => {
    const ours = receiver.accepted.filter(({ userId }) => userId === user.id);
    return [...new Map(ours.map(({ id, type }) => [id, type])).values()];
  };
  const untilAll = (users: readonly TestUser[]) =>
    until(() => users.every((user) => typesOf(user).length >= 2), {
      timeoutMs: recoveryMs,
      describe: "the events of all users",
    });
  const signUpMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => signUp(system)));
  /** Waits until all events are stored. A crash before that may put them into another order. */
  const untilStored = (users: readonly TestUser[]) =>
    until(
      async () => {
        const ids = users.map(({ user }) => user.id);
        const stored = "select count(*)::int from webhooks.event where subject_id = any($1)";
        const { rows } = await pool.query<{ count: number }>(stored, [ids]);
        return (rows[0]?.count ?? 0) >= users.length * inOrder.length;
      },
      { timeoutMs: recoveryMs, describe: "the stored events of all users" },
    );
  const inOrder = ["user.created", "session.created"];

  matrixTest("events that are recorded while webhooks is down arrive later in order", async () => {
    await system.kill("webhooks");
    const users = await signUpMany(20);
    await system.start("webhooks");
    await untilAll(users);
    for (const user of users) expect(typesOf(user)).toEqual(inOrder);
  });

  test.each(matrix<Mood>("hangs", "is slow", "fails"))(
    "a process that is killed while its receiver %s loses nothing",
    async (mood) => {
      receiver.state.mood = mood;
      const before = receiver.state.requests;
      const users = await signUpMany(10);
      await untilStored(users);
      await until(() => receiver.state.requests > before, { timeoutMs: recoveryMs });
      await system.kill("webhooks");
      receiver.state.mood = "accepts";
      await system.start("webhooks");
      await endWaits();
      await untilAll(users);
      for (const user of users) expect(typesOf(user)).toEqual(inOrder);
    },
  );

  matrixTest("an identity that is killed after its commits loses no event", async () => {
    const users = await signUpMany(10);
    await system.kill("identity");
    await system.start("identity");
    await untilAll(users);
    for (const user of users) expect(typesOf(user)).toEqual(inOrder);
  });
});

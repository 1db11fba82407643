import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { operations } from "@latchkey/contracts";
import { signMessage } from "@latchkey/crypto";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { buildExpressReceiver } from "../../docs/examples/webhooks/express-receiver.ts";
import { buildFastifyReceiver } from "../../docs/examples/webhooks/fastify-receiver.ts";
import {
  type KeptUser,
  keepUsers,
  type LatchkeyEvent,
} from "../../docs/examples/webhooks/keep-users.ts";
import { createNextReceiver } from "../../docs/examples/webhooks/next-receiver.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const { webhooks, identity } = operations;

interface Receiver {
  url: string;
  /** The ids of the handled events. */
  handled: () => readonly string[];
  stop: () => Promise<unknown>;
}
type Start = (secret: string) => Promise<Receiver>;

const listen = async (server: Server): Promise<string> => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
};
const close = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await once(server.close(), "close");
};

const users = new Map<string, KeptUser>();
const deleted = new Set<string>();
/** The example's table. */
const table = {
  upsert: async (user: KeptUser) => {
    const isNewer = (users.get(user.id)?.revision ?? -1) < user.revision;
    if (isNewer && !deleted.has(user.id)) users.set(user.id, user);
  },
  markDeleted: async (id: string) => {
    users.delete(id);
    deleted.add(id);
  },
};

const startExpress: Start = async (secret) => {
  const ids: string[] = [];
  const keep = keepUsers(table);
  const handle = async (event: LatchkeyEvent) => {
    await keep(event);
    ids.push(event.id);
  };
  const server = createServer(buildExpressReceiver(secret, handle));
  return { url: await listen(server), handled: () => ids, stop: () => close(server) };
};

const startFastify: Start = async (secret) => {
  const ids: string[] = [];
  const app = buildFastifyReceiver(secret, async ({ id }) => void ids.push(id));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url: `${url}/hooks`, handled: () => ids, stop: () => app.close() };
};

/** Calls the route handler as Next.js does. */
const startNext: Start = async (secret) => {
  const ids: string[] = [];
  const post = createNextReceiver(secret, async ({ id }) => void ids.push(id));
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await text(request);
      const headers = request.headers as Record<string, string>;
      const { status } = await post(
        new Request("http://localhost/hooks", { method: "POST", headers, body }),
      );
      response.writeHead(status).end();
    };
    answer().catch(() => response.writeHead(500).end());
  });
  return { url: await listen(server), handled: () => ids, stop: () => close(server) };
};

const startPython: Start = async (secret) => {
  const child = spawn("python3", ["docs/examples/webhooks/receiver.py"], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ids: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, "line")) as [string];
  lines.on("line", (line) => ids.push(line.split(" ")[1] ?? ""));
  return {
    url: `http://127.0.0.1:${first.split(" ").at(-1)}/hooks`,
    handled: () => ids,
    stop: async () => {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
};

const { system, admin } = useSystem({
  stores: "postgres",
  config: { ...serviceConfig, user: { deleteUser: { enabled: true } } },
});

describe.each([
  ["Express", startExpress],
  ["Fastify", startFastify],
  ["Next.js", startNext],
  ["Python", startPython],
])("the receiver with %s", (_name, start) => {
  test("handles what Latchkey sends, and refuses a forged or an old request", async () => {
    const { id, secret } = await expectOk(
      callOperation<{ id: string; secret: string }>(admin, webhooks.adminCreateWebhook, {
        body: { url: "http://127.0.0.1:1/", events: ["user.created"] },
      }),
    );
    const receiver = await start(secret);
    try {
      await expectOk(
        callOperation(admin, webhooks.adminUpdateWebhook, {
          params: { id },
          body: { url: receiver.url },
        }),
      );
      await signUp(system);
      await until(() => receiver.handled().length > 0);
      const [eventId = ""] = receiver.handled();
      const send = async (timestamp: number, signature: string) =>
        (
          await fetch(receiver.url, {
            method: "POST",
            headers: {
              "content-type": "application/json",
              "webhook-id": eventId,
              "webhook-timestamp": String(timestamp),
              "webhook-signature": signature,
            },
            body: "{}",
          })
        ).status;
      const now = Math.floor(Date.now() / 1_000);
      expect(await send(now, `v1,${Buffer.alloc(32).toString("base64")}`)).toBe(401);
      expect(await send(now, "")).toBe(401);
      const signed = (timestamp: number) =>
        signMessage([secret], { id: eventId, timestamp, body: "{}" });
      expect(await send(now - 3_600, signed(now - 3_600))).toBe(401);
      expect(receiver.handled().filter((one) => one === eventId)).toHaveLength(1);
    } finally {
      await receiver.stop();
      await expectOk(callOperation(admin, webhooks.adminDeleteWebhook, { params: { id } }));
    }
  });
});

test("the example keeps a deleted user deleted, whatever arrives later", async () => {
  const handle = keepUsers(table);
  const user = { id: "late", email: "late@example.com", name: "L", revision: 3 };
  const data = { userId: user.id, user };
  const event = (type: string): LatchkeyEvent => ({
    id: type,
    type,
    version: 1,
    timestamp: "",
    data,
  });
  await handle(event("user.created"));
  expect(users.get(user.id)).toEqual(user);
  await handle({ ...event("user.deleted"), data: { userId: user.id } });
  await handle(event("user.updated"));
  expect(users.has(user.id)).toBe(false);
});

test("the example keeps a users table in step, also after events of an outage are replayed", async () => {
  const { id, secret } = await expectOk(
    callOperation<{ id: string; secret: string }>(admin, webhooks.adminCreateWebhook, {
      body: { url: "http://127.0.0.1:1/" },
    }),
  );
  const receiver = await startExpress(secret);
  try {
    await expectOk(
      callOperation(admin, webhooks.adminUpdateWebhook, {
        params: { id },
        body: { url: receiver.url },
      }),
    );
    const [ada, grace] = [await signUp(system), await signUp(system)];
    const rename = (user: TestUser, name: string) =>
      expectOk(callOperation(user, identity.updateUser, { body: { name } }));
    await rename(ada, "Ada Lovelace");
    await until(() => users.get(ada.user.id)?.name === "Ada Lovelace");
    await until(() => users.get(grace.user.id)?.email === grace.email);
    users.clear(); // the table is lost
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const to = new Date(Date.now() + 60_000).toISOString();
    await expectOk(
      callOperation(admin, webhooks.adminReplayWebhookEvents, {
        params: { id },
        body: { from, to },
      }),
    );
    await until(() => users.get(ada.user.id)?.name === "Ada Lovelace");
    await until(() => users.has(grace.user.id));
  } finally {
    await receiver.stop();
  }
});

import type { Operation } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { matrix } from "../matrix.ts";
import { adminConfig, signUpAs } from "./admin-people.ts";
import { refusal, type SignedUp, signUp } from "./identity-people.ts";
import { ofMails, ofQueues } from "./mail-people.ts";
import { anybody, send, type Sent } from "./organization-people.ts";

expectNoLeaks("file");

const params = { id: "nothing" };
const ofMailer = { params: { name: "mailer" } };
const oneMessage = { ...ofMailer, body: { id: "nothing" } };

interface Guarded {
  declared: Operation;
  needs: readonly [resource: string, action: string];
  message: string;
  sent: Sent;
  /** The answer to callers with the permission. */
  status: number;
}

const guarded: Guarded[] = [
  {
    declared: ofMails.adminListDeliveries,
    needs: ["delivery", "list"],
    message: "You are not allowed to list mails",
    sent: {},
    status: 200,
  },
  {
    declared: ofMails.adminGetDelivery,
    needs: ["delivery", "read"],
    message: "You are not allowed to read mails",
    sent: { params },
    status: 404,
  },
  {
    declared: ofMails.adminRetryDelivery,
    needs: ["delivery", "retry"],
    message: "You are not allowed to retry mails",
    sent: { params },
    status: 404,
  },
  {
    declared: ofMails.adminReadMailStatistics,
    needs: ["statistics", "read"],
    message: "You are not allowed to read statistics",
    sent: {},
    status: 200,
  },
  {
    declared: ofMails.adminListMailerAudit,
    needs: ["audit", "list"],
    message: "You are not allowed to list the audit log",
    sent: {},
    status: 200,
  },
  {
    declared: ofQueues.adminListQueues,
    needs: ["queue", "list"],
    message: "You are not allowed to list queues",
    sent: {},
    status: 200,
  },
  {
    declared: ofQueues.adminListFailedMessages,
    needs: ["queue", "list"],
    message: "You are not allowed to list queues",
    sent: ofMailer,
    status: 200,
  },
  {
    declared: ofQueues.adminRetryMessage,
    needs: ["queue", "update"],
    message: "You are not allowed to update queues",
    sent: oneMessage,
    status: 200,
  },
  {
    declared: ofQueues.adminDiscardMessage,
    needs: ["queue", "update"],
    message: "You are not allowed to update queues",
    sent: oneMessage,
    status: 200,
  },
];

/** For each permission, one role with that permission only and one with all others. */
const statements: Record<string, string[]> = {
  delivery: ["list", "read", "retry"],
  queue: ["list", "update"],
  statistics: ["read"],
  audit: ["list"],
};
const roleName = (kind: "only" | "all-but", [resource, action]: Guarded["needs"]) =>
  `${kind}-${resource}-${action}`;
const roles = Object.fromEntries(
  guarded.flatMap(({ needs }) => {
    const [resource, action] = needs;
    const allBut = (statements[resource] ?? []).filter((other) => other !== action);
    return [
      [roleName("only", needs), { [resource]: [action] }],
      [roleName("all-but", needs), { ...statements, [resource]: allBut }],
    ];
  }),
);

test("every operation of the mailer is tested below", () => {
  const tried = guarded.map(({ declared }) => declared.name);
  expect(tried).toEqual(expect.arrayContaining(Object.keys(ofMails)));
});

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  let stack: Stack;
  let user: SignedUp;
  beforeAll(async () => {
    stack = await startStack({
      stores,
      config: { ...adminConfig, admin: { roles: { admin: statements, user: {}, ...roles } } },
    });
    user = await signUp(stack);
  });
  afterAll(() => stack.stop());

  describe.each(guarded)("$declared.name", ({ declared, needs, message, sent, status }) => {
    const code = declared.permission?.refusal ?? "";

    test("rejects callers without a session", async () => {
      const answer = await send(anybody(stack), declared, sent);
      expect(answer).toEqual(refusal(401, "UNAUTHORIZED", "Unauthorized"));
    });

    test("rejects users without the permission and names it", async () => {
      expect(await send(user, declared, sent)).toEqual(refusal(403, code, message));
    });

    test("requires exactly its own permission", async () => {
      const refused = await signUpAs(stack, roleName("all-but", needs));
      expect(await send(refused, declared, sent)).toEqual(refusal(403, code, message));
      const allowed = await signUpAs(stack, roleName("only", needs));
      expect(await send(allowed, declared, sent)).toMatchObject({ status });
    });

    test("cannot be called without the gateway", async () => {
      const url = `${stack.running.services[declared.owner]?.url}${declared.path}`;
      const headers = { authorization: `Bearer ${user.token}` };
      expect((await fetch(url, { method: declared.method, headers })).status).toBe(403);
    });
  });

  test.each([
    { limit: "many" },
    { cursor: "garbage" },
    { state: "lost" },
    { recipient: "a\0b" },
    { recipient: "a".repeat(321) },
    { sortDirection: "up" },
  ])("%j is not a valid query", async (query) => {
    const admin = await signUpAs(stack, "admin");
    expect(await send(admin, ofMails.adminListDeliveries, { query })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR" },
    });
  });
});

test("with admin.enabled false the operations do not exist", async () => {
  const config = { ...adminConfig, admin: { enabled: false } };
  const stack = await startStack({ stores: "postgres", config });
  const person = await signUp(stack);
  for (const { declared, sent } of guarded)
    expect(await send(person, declared, sent)).toEqual({
      status: 404,
      body: undefined,
      cookies: [],
    });
  await stack.stop();
});

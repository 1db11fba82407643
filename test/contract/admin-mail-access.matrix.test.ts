import type { Operation } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { mailOperations, queueOperations } from "../harness/mails.ts";
import { callOperation, type Sent, serviceConfig } from "../harness/operations.ts";
import { errorResponse } from "../harness/responses.ts";
import { startSystem } from "../harness/start-system.ts";
import { newClient, signUp, signUpAs } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { matrix } from "../harness/matrix.ts";

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
    declared: mailOperations.adminListDeliveries,
    needs: ["delivery", "list"],
    message: "You are not allowed to list mails",
    sent: {},
    status: 200,
  },
  {
    declared: mailOperations.adminGetDelivery,
    needs: ["delivery", "read"],
    message: "You are not allowed to read mails",
    sent: { params },
    status: 404,
  },
  {
    declared: mailOperations.adminListDeliveryAttempts,
    needs: ["delivery", "list"],
    message: "You are not allowed to list mails",
    sent: { params },
    status: 404,
  },
  {
    declared: mailOperations.adminListInvitationMails,
    needs: ["delivery", "list"],
    message: "You are not allowed to list mails",
    sent: { query: { invitationId: "some" } },
    status: 200,
  },
  {
    declared: mailOperations.adminRetryDelivery,
    needs: ["delivery", "retry"],
    message: "You are not allowed to retry mails",
    sent: { params },
    status: 404,
  },
  {
    declared: mailOperations.adminReadMailStatistics,
    needs: ["statistics", "read"],
    message: "You are not allowed to read statistics",
    sent: {},
    status: 200,
  },
  {
    declared: mailOperations.adminListMailerAudit,
    needs: ["audit", "list"],
    message: "You are not allowed to list the audit log",
    sent: {},
    status: 200,
  },
  {
    declared: queueOperations.adminListQueues,
    needs: ["queue", "list"],
    message: "You are not allowed to list queues",
    sent: {},
    status: 200,
  },
  {
    declared: queueOperations.adminListFailedMessages,
    needs: ["queue", "list"],
    message: "You are not allowed to list queues",
    sent: ofMailer,
    status: 200,
  },
  {
    declared: queueOperations.adminRetryMessage,
    needs: ["queue", "update"],
    message: "You are not allowed to update queues",
    sent: oneMessage,
    status: 200,
  },
  {
    declared: queueOperations.adminDiscardMessage,
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
  expect(tried).toEqual(expect.arrayContaining(Object.keys(mailOperations)));
});

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  const { system, user } = useSystem({
    stores,
    config: { ...serviceConfig, admin: { roles: { admin: statements, user: {}, ...roles } } },
  });

  describe.each(guarded)("$declared.name", ({ declared, needs, message, sent, status }) => {
    const code = declared.permission?.refusal ?? "";

    test("rejects callers without a session", async () => {
      const answer = await callOperation(newClient(system), declared, sent);
      expect(answer).toEqual(errorResponse(401, "UNAUTHORIZED", "Unauthorized"));
    });

    test("rejects users without the permission and names it", async () => {
      expect(await callOperation(user, declared, sent)).toEqual(errorResponse(403, code, message));
    });

    test("requires exactly its own permission", async () => {
      const refused = await signUpAs(system, roleName("all-but", needs));
      expect(await callOperation(refused, declared, sent)).toEqual(
        errorResponse(403, code, message),
      );
      const allowed = await signUpAs(system, roleName("only", needs));
      expect(await callOperation(allowed, declared, sent)).toMatchObject({ status });
    });

    test("cannot be called without the gateway", async () => {
      const url = `${system.urlOf(declared.owner)}${declared.path}`;
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
    const admin = await signUpAs(system, "admin");
    expect(await callOperation(admin, mailOperations.adminListDeliveries, { query })).toMatchObject(
      {
        status: 400,
        body: { code: "VALIDATION_ERROR" },
      },
    );
  });
});

test("with admin.enabled false the operations do not exist", async () => {
  const config = { ...serviceConfig, admin: { enabled: false } };
  const system = await startSystem({ stores: "postgres", config });
  const person = await signUp(system);
  for (const { declared, sent } of guarded)
    expect(await callOperation(person, declared, sent)).toEqual({
      status: 404,
      body: undefined,
      cookies: [],
    });
  await system.stop();
});

import type { operations } from "@latchkey/contracts";
import { createBus } from "@latchkey/service-kit/bus";
import { readSettings } from "@latchkey/service-kit/config";
import type { Call } from "@latchkey/service-kit/http";
import { createLogger } from "@latchkey/service-kit/observe";
import { expectNoLeaks, testSecret } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  connectIdentity,
  createIdentityDatabase,
  createTestDeps,
  identityConfig,
} from "../db/test-identity.fixture.ts";
import { adminDiscardMessage } from "./operations.ts";

expectNoLeaks("file");

/** Attack: an admin whose process dies between bus and audit discards mails without a trace. */
test("audits a discard with its admin even if the bus does not respond", async () => {
  const database = await createIdentityDatabase();
  const db = connectIdentity(database.url, 2);
  // There is no bus here, so each request to it fails as late as possible.
  const settings = readSettings({ secret: [testSecret], databaseUrl: database.url }, {});
  const bus = await createBus(settings, createLogger({ service: "identity", level: "silent" }));
  try {
    const call = {
      params: { name: "mailer" },
      body: { id: "m1" },
      caller: { requestId: "r1", address: "192.0.2.1" },
      session: { session: { userId: "the-admin" }, user: { id: "the-admin" } },
    } as unknown as Call<typeof operations.identity.adminDiscardMessage>; // no other member is used
    const deps = { ...createTestDeps({ config: identityConfig(), db, clock: Date.now }), bus };
    await expect(adminDiscardMessage(deps, call)).rejects.toThrow();
    const audited = await db
      .selectFrom("audit")
      .select(["action", "actorId", "subjectId", "after"])
      .execute();
    expect(audited).toEqual([
      {
        action: "queue.discard-requested",
        actorId: "the-admin",
        subjectId: "mailer",
        after: { messageId: "m1" },
      },
    ]);
  } finally {
    await bus.close();
    await db.destroy();
    await database.drop();
  }
});

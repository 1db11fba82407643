import type { operations } from "@latchkey/contracts";
import { type Call, createBus, createLogger, readSettings } from "@latchkey/service-kit";
import { expectNoLeaks, testSecret } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { connectIdentity, createIdentityDatabase } from "../db/test-identity.fixture.ts";
import { discardMessage } from "./discard-message.ts";

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
    await expect(discardMessage({ bus, clock: Date.now, db }, call)).rejects.toThrow();
    const noted = await db
      .selectFrom("audit")
      .select(["action", "actorId", "subjectId", "after"])
      .execute();
    expect(noted).toEqual([
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

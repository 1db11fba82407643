import type { operations } from "@latchkey/contracts";
import { type Call, createBus, createLogger, readSettings } from "@latchkey/service-kit";
import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  connectIdentity,
  createIdentityDatabase,
  testSecret,
} from "../db/test-identity.fixture.ts";
import { discardMessage } from "./discard-message.ts";

expectNoLeaks("file");

/** Attack: an admin whose process ends between the bus and the audit discards mails in nobody's name. */
test("a discard of which the bus says nothing is in the audit, with who asked for it", async () => {
  const database = await createIdentityDatabase();
  const db = connectIdentity(database.url, 2);
  // Here is no bus: whatever it is asked for fails, as late as can be.
  const settings = readSettings({ secret: [testSecret], databaseUrl: database.url }, {});
  const bus = createBus(settings, createLogger({ service: "identity", level: "silent" }));
  try {
    const call = {
      params: { name: "mailer" },
      body: { id: "m1" },
      caller: { requestId: "r1", address: "192.0.2.1" },
      session: { session: { userId: "the-admin" }, user: { id: "the-admin" } },
    } as unknown as Call<typeof operations.identity.adminDiscardMessage>; // no more of them is used
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

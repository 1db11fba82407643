import { type operations, WireError } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { DeliveryState } from "../db/tables.ts";
import {
  adminId,
  callByAdmin,
  link,
  notice,
  openMailer,
  replyOf,
} from "../db/test-mailer.fixture.ts";
import { settleAttempt } from "../deliveries/queries.ts";
import { adminGetDelivery, adminReadMailStatistics, adminRetryDelivery } from "./deliveries.ts";

expectNoLeaks("file");

type Operations = typeof operations.mailer;

const fixture = await openMailer();

const get = (id: string, { ring = fixture.deps.ring, role = "admin" } = {}) =>
  replyOf(
    adminGetDelivery(
      { ...fixture.deps, ring },
      callByAdmin<Operations["adminGetDelivery"]>({ params: { id }, role }),
    ),
  );
const retry = (id: string) =>
  replyOf(
    adminRetryDelivery(
      fixture.deps,
      callByAdmin<Operations["adminRetryDelivery"]>({ params: { id } }),
    ),
  );
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (error instanceof WireError) return error.code;
      throw error;
    },
  );
const rowOf = (id: string) =>
  fixture.db.selectFrom("delivery").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const byAdmin = { actorKind: "user", actorId: adminId, subjectKind: "delivery" };

describe("reading", () => {
  test("shows an admin a mail's content and records the reader in the audit log", async () => {
    const id = await fixture.seed();
    const {
      contentSealed: _,
      eventId: __,
      attemptsForgiven: ___,
      leaseUntil: ____,
      sendBefore: _____,
      userId: ______,
      invitationId: _______,
      ...row
    } = await rowOf(id);
    expect(await get(id)).toStrictEqual({
      ...row,
      text: `Go to ${link}`,
      html: `<p>${link}</p>`,
      link,
      locale: null,
      isWithheld: false,
    });
    const audit = await fixture.auditOf(id);
    expect(audit).toStrictEqual([
      {
        ...byAdmin,
        action: "delivery.read",
        outcome: "success",
        address: "192.0.2.1",
        before: null,
        after: null,
      },
    ]);
  });

  /** Attack: a support role requests a password reset in an admin's name and reads the link. */
  test("hides the content of a mail with a link from non-admins and records the attempt", async () => {
    const id = await fixture.seed();
    expect(await get(id, { role: "support" })).toMatchObject({
      id,
      recipient: "ada@example.com",
      text: null,
      html: null,
      link: null,
      isWithheld: true,
    });
    const audit = await fixture.auditOf(id);
    expect(audit).toMatchObject([{ ...byAdmin, action: "delivery.read", outcome: "refused" }]);
  });

  test("shows a notice without a link to non-admins", async () => {
    const id = await fixture.seed({ isNotice: true });
    expect(await get(id, { role: "support" })).toMatchObject({
      text: notice,
      link: null,
      isWithheld: false,
    });
  });

  test("omits content that was encrypted with a removed secret", async () => {
    const id = await fixture.seed();
    const other = createSecretRing(["another secret, that opens nothing of ours"]);
    expect(await get(id, { ring: other })).toMatchObject({
      id,
      text: null,
      html: null,
      link: null,
      isWithheld: false,
    });
  });

  test("reports and records nothing for an unknown mail", async () => {
    expect(await outcomeOf(get("nothing"))).toBe("DELIVERY_NOT_FOUND");
    expect(await fixture.auditOf("nothing")).toEqual([]);
  });
});

describe("a retry", () => {
  const failed = { state: "failed", attempts: 3, lastError: "550 no such user" } as const;

  test("restores all attempts of a failed mail, keeps their number, and makes it due at once", async () => {
    const id = await fixture.seed(failed);
    const reply = await retry(id);
    expect(reply).toMatchObject({ id, state: "retrying", attempts: 3, settledAt: null });
    expect(reply).not.toHaveProperty("contentSealed");
    expect(await rowOf(id)).toMatchObject({
      state: "retrying",
      attempts: 3,
      attemptsForgiven: 3,
      lastError: failed.lastError,
      leaseUntil: null,
      settledAt: null,
    });
    expect(await fixture.auditOf(id)).toMatchObject([{ ...byAdmin, action: "delivery.retried" }]);
  });

  test("succeeds for one of sixteen concurrent admins", async () => {
    const id = await fixture.seed(failed);
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => outcomeOf(retry(id))));
    expect(outcomes.toSorted()).toEqual([
      ...Array<string>(15).fill("DELIVERY_HAS_NOT_FAILED"),
      "done",
    ]);
    expect(await fixture.auditOf(id)).toHaveLength(1);
  });

  test.each<DeliveryState>(["queued", "sending", "retrying", "sent", "captured"])(
    "of a mail that is %s is rejected without changes",
    async (state) => {
      const id = await fixture.seed({ state });
      const before = await rowOf(id);
      expect(await outcomeOf(retry(id))).toBe("DELIVERY_HAS_NOT_FAILED");
      expect([await rowOf(id), await fixture.auditOf(id)]).toEqual([before, []]);
    },
  );

  test("of an unknown mail is rejected", async () => {
    expect(await outcomeOf(retry("nothing"))).toBe("DELIVERY_NOT_FOUND");
  });
});

describe("statistics", () => {
  const read = (query: { from?: string; to?: string }) =>
    replyOf(
      adminReadMailStatistics(
        fixture.deps,
        callByAdmin<Operations["adminReadMailStatistics"]>({ query }),
      ),
    );
  const outcome = { attempts: 1, lastError: null, deletesContent: false, delaySeconds: 0 };
  const settle = async (state: "sent" | "failed" | "captured", time: string, times = 1) => {
    for (let count = 0; count < times; count += 1) {
      const id = await fixture.seed({ state: "sending", attempts: 1, settledAt: null });
      await settleAttempt(fixture.db, { ...outcome, id, state, endedAt: new Date(time) });
    }
  };

  test("count every mail on the UTC day of its settlement, and include days without mails", async () => {
    await settle("sent", "2031-02-28T23:59:59.999Z", 2);
    await settle("failed", "2031-02-28T00:00:00.000Z");
    await settle("captured", "2031-03-02T00:00:00.000Z", 3);
    await settle("sent", "2031-03-03T00:00:00.000Z");
    expect(await read({ from: "2031-02-28", to: "2031-03-02" })).toStrictEqual({
      days: [
        { day: "2031-02-28", sent: 2, failed: 1, captured: 0 },
        { day: "2031-03-01", sent: 0, failed: 0, captured: 0 },
        { day: "2031-03-02", sent: 0, failed: 0, captured: 3 },
      ],
    });
  });

  test("count a mail once, after its last attempt", async () => {
    const id = await fixture.seed({ state: "sending", attempts: 2, settledAt: null });
    const sent = { ...outcome, id, state: "sent", endedAt: new Date("2032-01-01") } as const;
    await settleAttempt(fixture.db, { ...sent, state: "retrying", lastError: "late" });
    await settleAttempt(fixture.db, sent);
    await Promise.all(
      Array.from({ length: 16 }, () => settleAttempt(fixture.db, { ...sent, attempts: 2 })),
    );
    const { days } = await read({ from: "2032-01-01", to: "2032-01-01" });
    expect(days).toEqual([{ day: "2032-01-01", sent: 1, failed: 0, captured: 0 }]);
  });

  test("count all of sixteen mails that are settled at once", async () => {
    await Promise.all(Array.from({ length: 16 }, () => settle("sent", "2033-01-01T12:00:00Z")));
    const { days } = await read({ from: "2033-01-01", to: "2033-01-01" });
    expect(days).toMatchObject([{ sent: 16 }]);
  });

  test("remain after the mails are deleted", async () => {
    await settle("sent", "2034-01-01T12:00:00Z");
    await sql`delete from mailer.delivery where settled_at = '2034-01-01T12:00:00Z'`.execute(
      fixture.db,
    );
    const { days } = await read({ from: "2034-01-01", to: "2034-01-01" });
    expect(days).toMatchObject([{ sent: 1 }]);
  });

  test.each([
    { from: "2032-01-02", to: "2032-01-01" },
    { from: "2030-01-01", to: "2031-02-05" },
    { to: "1960-01-01" },
  ])("reject the range %j", async (query) => {
    expect(await outcomeOf(read(query))).toBe("VALIDATION_ERROR");
  });
});

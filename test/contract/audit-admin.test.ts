import { operations } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { representatives } from "../harness/matrix.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { errorResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, signUp, signUpAs, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

interface ShownEntry {
  id: string;
  occurredAt: string;
  actor: { kind: string; id: string | null };
  subject: { kind: string; id: string };
  action: string;
  outcome: string;
  address: string;
  requestId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  seal: { position: number; hash: string } | null;
}
interface Page {
  entries: ShownEntry[];
  nextCursor?: string;
}

const logs = {
  identity: operations.identity.adminListIdentityAudit,
  organization: operations.organization.adminListOrganizationAudit,
  apikey: operations.apikey.adminListApiKeyAudit,
  mailer: operations.mailer.adminListMailerAudit,
} as const;
const owners = Object.keys(logs) as (keyof typeof logs)[];

/** One user may only read audit logs, and the other may do everything else. */
let reader: TestUser;
let outsider: TestUser;
const roles = {
  admin: { user: ["list", "ban", "impersonate"], audit: ["list"] },
  user: {},
  reader: { audit: ["list"] },
  outsider: { user: ["list"] },
};
const { system, rows, admin } = useSystem({
  stores: "postgres",
  config: { ...serviceConfig, admin: { roles } },
});
beforeAll(async () => {
  reader = await signUpAs(system, "reader");
  outsider = await signUpAs(system, "outsider");
});

const list = (query: object = {}, who = reader) =>
  expectOk(callOperation<Page>(who, logs.identity, { query: { ...query } }));
const idsOf = ({ entries }: Page) => entries.map(({ id }) => id);

describe("access", () => {
  const notAllowed = errorResponse(
    403,
    "YOU_ARE_NOT_ALLOWED_TO_LIST_THE_AUDIT_LOG",
    "You are not allowed to list the audit log",
  );

  test.each(owners)("the log of %s: only roles with that permission", async (owner) => {
    const user = await signUp(system);
    for (const who of [admin, reader])
      expect((await callOperation(who, logs[owner])).status).toBe(200);
    for (const who of [outsider, user])
      expect(await callOperation(who, logs[owner])).toEqual(notAllowed);
    const nobody = { browser: createBrowserLike(system.url) };
    expect((await callOperation(nobody, logs[owner])).status).toBe(401);
  });

  /** Attack: an admin's session in an impersonation still has the admin's permissions. */
  test("rejects an admin who impersonates a user", async () => {
    const [other, ada] = [await signUpAs(system, "admin"), await signUp(system)];
    expect((await callAdmin(other, "/impersonate-user", { userId: ada.user.id })).status).toBe(200);
    const forbidden = errorResponse(403, "FORBIDDEN", "Forbidden");
    for (const owner of owners) expect(await callOperation(other, logs[owner])).toEqual(forbidden);
  });

  test("rejects a demoted reader at once", async () => {
    const gone = await signUpAs(system, "reader");
    expect((await callOperation(gone, logs.identity)).status).toBe(200);
    await rows.query(
      "update identity.user set role = 'user', revision = revision + 1 where id = $1",
      gone.user.id,
    );
    expect(await callOperation(gone, logs.identity)).toEqual(notAllowed);
  });
});

describe("content", () => {
  test("records actor, action, subject, address and change, and its seal soon after", async () => {
    const ada = await signUp(system);
    const body = { userId: ada.user.id, banReason: "<b>spam</b>" };
    expect((await callAdmin(admin, "/ban-user", body)).status).toBe(200);
    const query = { actorId: admin.user.id, subjectId: ada.user.id, action: "user.banned" };
    const entry = await until(async () => {
      const [newest] = (await list(query)).entries;
      return newest?.seal && newest;
    });
    expect(entry).toMatchObject({
      actor: { kind: "user", id: admin.user.id },
      subject: { kind: "user", id: ada.user.id },
      action: "user.banned",
      outcome: "success",
      address: "127.0.0.1",
      after: { banned: true, banReason: "<b>spam</b>" },
      seal: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(entry.requestId).not.toBe("");
    expect(Date.parse(entry.occurredAt)).not.toBeNaN();
  });

  test("each owner has a separate log", async () => {
    const ada = await signUp(system);
    expect(
      (
        await ada.browser.post("/organization/create", {
          name: "Acme",
          slug: `acme-${ada.user.id.toLowerCase()}`,
        })
      ).status,
    ).toBe(200);
    expect((await ada.browser.post("/api-key/create", {})).status).toBe(200);
    const actionsOf = async (owner: keyof typeof logs) => {
      const query = { actorId: ada.user.id };
      const { entries } = await expectOk(callOperation<Page>(reader, logs[owner], { query }));
      return entries.map(({ action }) => action);
    };
    expect(await actionsOf("organization")).toContain("organization.created");
    expect(await actionsOf("apikey")).toEqual(["api-key.created"]);
    expect(await actionsOf("identity")).toContain("user.created");
    expect(await actionsOf("mailer")).toEqual([]);
  });
});

describe("search and pages", () => {
  const day = "2020-01-02";
  let actorId: string;
  /** Thirty entries of one actor, a minute apart, newest first. */
  let seeded: string[];
  beforeAll(async () => {
    actorId = `seeded-${reader.user.id}`;
    const inserted = await rows.query(
      `insert into identity.audit (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
       select timestamptz '2020-01-02' + n * interval '1 minute', 'user', $1, 'thing', 'thing-' || n % 3,
         case n % 2 when 0 then 'seeded.even' else 'seeded.odd' end,
         case when n % 5 = 0 then 'refused' else 'success' end, '2001:db8::' || n % 4, 'seeded-' || n / 4
       from generate_series(0, 29) n returning id::text`,
      actorId,
    );
    seeded = inserted.map(({ id }) => String(id)).toReversed();
  });
  const those = (fits: (n: number) => boolean) =>
    seeded.filter((_, index) => fits(seeded.length - 1 - index));

  test("pages have no gaps, newest first", async () => {
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ actorId, limit: 7, ...(cursor && { cursor }) });
      walked.push(...idsOf(page));
      cursor = page.nextCursor;
    } while (cursor);
    expect(walked).toEqual(seeded);
  });

  test.each<[object, (n: number) => boolean]>([
    [{ subjectId: "thing-1" }, (n) => n % 3 === 1],
    [{ action: "seeded." }, () => true],
    [{ action: "seeded.e" }, (n) => n % 2 === 0],
    [{ action: "eeded" }, () => false],
    [{ outcome: "refused" }, (n) => n % 5 === 0],
    [{ outcome: "success" }, (n) => n % 5 !== 0],
    [{ address: "2001:db8::3" }, (n) => n % 4 === 3],
    [{ address: "2001:db8::9" }, () => false],
    [{ requestId: "seeded-2" }, (n) => n >= 8 && n < 12],
    [{ requestId: "seeded-2", address: "2001:db8::3" }, (n) => n === 11],
    [{ requestId: "unknown" }, () => false],
    [{ from: day, to: day }, () => true],
    [{ from: "2020-01-03" }, () => false],
    [{ from: `${day}T00:10:00.000Z` }, (n) => n >= 10],
    [{ to: `${day}T01:10:00.000+01:00` }, (n) => n <= 10],
    [
      {
        subjectId: "thing-0",
        action: "seeded.odd",
        outcome: "refused",
        from: `${day}T00:10:00Z`,
        to: day,
      },
      (n) => n === 15,
    ],
  ])("%j finds only matching entries", async (query, fits) => {
    expect(idsOf(await list({ actorId, ...query }))).toEqual(those(fits));
    if ("subjectId" in query || "action" in query)
      expect(idsOf(await list(query))).toEqual(those(fits));
  });

  test.each([
    { limit: 1_001 },
    { limit: "many" },
    { cursor: "nonsense" },
    { outcome: "unknown" },
    { from: "yesterday" },
    { to: "2020-13-01" },
    { action: "x".repeat(256) },
    { address: "x".repeat(256) },
    { requestId: "\0" },
    { actorEmail: "x".repeat(321) },
    { subjectId: "\0" },
  ])("%j is not a valid query", async (query) => {
    const { status, body } = await callOperation<{ code: string; issues: { path: string }[] }>(
      reader,
      logs.identity,
      { query },
    );
    expect([status, body.code, body.issues[0]?.path]).toEqual([
      400,
      "VALIDATION_ERROR",
      Object.keys(query)[0],
    ]);
  });
});

describe("the address of a user", () => {
  const listBy = (owner: keyof typeof logs, query: object, who = admin) =>
    expectOk(callOperation<Page>(who, logs[owner], { query: { ...query } }));

  // Identity looks up the address in its own table, and the others by a call.
  const some = representatives(owners, (owner) => owner === "identity" || owner === "mailer");
  test.each(some)("finds the same entries as the id, in the log of %s", async (owner) => {
    const ada = await signUp(system);
    await rows.query(
      `insert into ${owner}.audit (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
       values (now(), 'user', $1, 'user', $2, 'seeded.acted', 'success', '', '')`,
      admin.user.id,
      ada.user.id,
    );
    const email = ada.email.toUpperCase();
    const acted = { actorEmail: admin.email, action: "seeded.acted" };
    const byId = await listBy(owner, { subjectId: ada.user.id });
    expect(byId.entries.length).toBeGreaterThan(0);
    expect(idsOf(await listBy(owner, { subjectEmail: email }))).toEqual(idsOf(byId));
    expect(idsOf(await listBy(owner, { ...acted, subjectEmail: email }))).toHaveLength(1);
    for (const query of [
      { subjectEmail: "nobody@example.com" },
      { actorEmail: "not an address" },
      { subjectEmail: email, subjectId: admin.user.id },
      { subjectEmail: email, actorEmail: "nobody@example.com" },
    ])
      expect(await listBy(owner, query)).toEqual({ entries: [] });
  });

  /** Attack: a reader of logs, which name users by id alone, finds out whose account an address is. */
  test.each(["actorEmail", "subjectEmail"])(
    "is refused as %s to a reader of logs",
    async (name) => {
      for (const email of [admin.email, "nobody@example.com"])
        expect(await callOperation(reader, logs.mailer, { query: { [name]: email } })).toEqual(
          errorResponse(
            403,
            "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS",
            "You are not allowed to list users",
          ),
        );
    },
  );
});

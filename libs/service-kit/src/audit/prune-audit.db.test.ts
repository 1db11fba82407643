import { createSecretRing } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { firstHash } from "./chain-hash.ts";
import { signHead } from "./checkpoint-signature.ts";
import { appendAudit } from "./append-audit.ts";
import { deleteEntries } from "./start-queries.ts";
import {
  entry,
  openAudit,
  type OpenedAudit,
  schema,
  shortOf,
  start,
  testRing,
  verifyLines,
} from "./test-audit.fixture.ts";

expectNoLeaks("file");

const day = 86_400_000;
/** Four days. Two entries are added and signed on each of them. */
let audit: OpenedAudit;
beforeEach(async () => {
  audit = await openAudit();
  for (let count = 0; count < 4; count += 1) {
    await audit.appendMany(2);
    await audit.seal();
    audit.advance(day);
  }
});
afterEach(() => audit.close());

/** Returns the start of a day. Day 0 is that of `start`. */
const dayAt = (number: number) => new Date(Math.floor(start / day) * day + number * day);
const run = (text: string) => sql.raw(text).execute(audit.db);
const wholeTo = (entries: number) => ({ entries, broken: undefined });

test("removes entries before a day up to a checkpoint and keeps the chain valid", async () => {
  const before = await audit.verify();
  const { hash } = await audit.db
    .selectFrom("auditSeal")
    .select("hash")
    .where("position", "=", 4)
    .executeTakeFirstOrThrow();
  expect(await audit.prune(dayAt(2))).toEqual({ verdict: before, start: 4, removed: 4 });
  expect([await audit.ids(), await audit.sealedIds(), await audit.checkpoints()]).toEqual([
    [5, 6, 7, 8, 9],
    [5, 6, 7, 8],
    [6, 8],
  ]);
  // The new start has the chain's hash and a signature.
  expect(await audit.db.selectFrom("auditStart").select(["position", "hash"]).execute()).toEqual([
    { position: 4, hash },
  ]);
  await audit.seal();
  expect(await audit.verify()).toMatchObject({ start: 4, entries: 9, broken: undefined });
});

test("is recorded in the audit log", async () => {
  await audit.prune(dayAt(2));
  const { after, ...row } = await audit.db
    .selectFrom("audit")
    .select(["actorId", "subjectId", "action", "after"])
    .where("id", "=", 9)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ actorId: "operator", subjectId: schema, action: "audit.pruned" });
  expect(after).toMatchObject({ position: 4, before: dayAt(2).toISOString() });
});

test("prunes repeatedly while the log grows", async () => {
  await audit.prune(dayAt(1));
  await audit.seal();
  expect(await audit.prune(dayAt(3))).toMatchObject({ start: 6, removed: 4 });
  await audit.appendMany(3);
  audit.advance(60_000);
  await audit.seal();
  expect(shortOf(await audit.verify())).toEqual(wholeTo(13));
});

test("exports a chain that verifies from the new start", async () => {
  await audit.prune(dayAt(2));
  await audit.seal();
  const lines = await audit.exportLines();
  expect(lines.filter((line) => line.includes('"kind":"entry"')).length).toBe(5);
  const [verdict] = await verifyLines(lines);
  expect(verdict).toMatchObject({ start: 4, entries: 9, broken: undefined });
  const without = lines.filter((line) => !line.startsWith('{"kind":"start"'));
  expect((await verifyLines(without))[0]?.broken).toMatchObject({ kind: "removed", position: 1 });
});

/** Attack: an earlier export gets a later start, so that it hides its first entries. */
test("rejects an export with a start that it did not sign", async () => {
  const [head = ""] = await audit.exportLines();
  await audit.prune(dayAt(2));
  const pruned = await audit.exportLines();
  expect((await verifyLines([head, ...pruned.slice(1)]))[0]?.broken).toMatchObject({
    kind: "removed",
    position: 1,
  });
});

describe("pruning keeps", () => {
  test("all entries if none is older", async () => {
    expect(await audit.prune(dayAt(0))).toMatchObject({ start: 0, removed: 0 });
    expect(shortOf(await audit.verify())).toEqual(wholeTo(8));
  });

  test("the last entry and the entries of its checkpoint, whatever their age", async () => {
    expect(await audit.prune(dayAt(100))).toMatchObject({ start: 6, removed: 6 });
    expect(await audit.prune(dayAt(100))).toMatchObject({ start: 6, removed: 0 });
  });

  test("unsealed and late-sealed entries", async () => {
    const late = await audit.db.startTransaction().execute();
    await appendAudit(late, { clock: () => start }, entry({ action: "session.revoked" }));
    await audit.appendMany(1);
    await audit.seal();
    await late.commit().execute();
    audit.advance(60_000);
    await audit.appendMany(1);
    await audit.seal();
    await audit.seal();
    audit.advance(day);
    await audit.seal();
    await audit.appendMany(1);
    // It occurred on the first day, but was sealed after the fifth, so it is not at the beginning.
    expect(await audit.prune(dayAt(4))).toMatchObject({ start: 8 });
    expect(await audit.ids()).toEqual([9, 10, 11, 12, 13]);
    await audit.seal();
    expect(shortOf(await audit.verify())).toEqual(wholeTo(13));
  });

  test("all entries of a broken chain", async () => {
    await run("update kit.audit set action = 'a' where id = 2");
    expect(await audit.prune(dayAt(2))).toMatchObject({
      verdict: { broken: { kind: "changed", position: 2 } },
      removed: 0,
    });
    expect((await audit.ids()).length).toBe(8);
  });
});

describe("an interrupted pruning", () => {
  const cutOff = async (kept: string) => {
    const tables = { audit: "id", audit_seal: "position", audit_checkpoint: "position" };
    for (const [table, place] of Object.entries(tables))
      await run(
        `create table kit.${table}_away as select * from kit.${table} where ${place} between ${kept}`,
      );
    await audit.prune(dayAt(3));
    for (const table of Object.keys(tables))
      await run(`insert into kit.${table} overriding system value select * from kit.${table}_away`);
    await audit.seal();
  };

  test.each([
    ["before it removed anything", "1 and 6", 6],
    ["in the midst", "2 and 6", 4],
  ])(
    "%s leaves a valid log, is reported, and is completed by the next pruning",
    async (_when, kept, left) => {
      await cutOff(kept);
      if (left === 4) await run("delete from kit.audit_seal where position = 2");
      if (left === 4) await run("delete from kit.audit where id = 2");
      const verdict = await audit.verify();
      expect([shortOf(verdict), verdict.leftovers]).toEqual([wholeTo(9), left]);
      expect((await verifyLines(await audit.exportLines())).map(shortOf)).toEqual([wholeTo(9)]);
      expect(await audit.prune(dayAt(3))).toMatchObject({ start: 6, removed: left });
      expect([(await audit.ids())[0], await audit.checkpoints()]).toEqual([7, [8, 9]]);
      expect((await audit.verify()).leftovers).toBe(0);
    },
  );

  test("leaves entries that begin at an earlier start", async () => {
    await audit.prune(dayAt(1));
    await audit.seal();
    await cutOff("3 and 6");
    await run("delete from kit.audit_checkpoint where position = 2");
    expect(await audit.verify()).toMatchObject({ start: 6, leftovers: 4, broken: undefined });
    expect(await deleteEntries(audit.db as never, schema, { upTo: 6, limit: 3 })).toBe(2);
    expect(await audit.verify()).toMatchObject({ start: 6, leftovers: 2, broken: undefined });
    expect(await deleteEntries(audit.db as never, schema, { upTo: 6, limit: 1 })).toBe(2);
    expect(await audit.verify()).toMatchObject({ start: 6, leftovers: 0, broken: undefined });
  });

  /** Attack: leftovers are changed or replaced before the next pruning. */
  test.each([
    ["a changed row", "update kit.audit set action = 'a' where id = 4", 4],
    ["a deleted row", "delete from kit.audit where id = 5", 5],
    ["a deleted seal", "delete from kit.audit_seal where position = 3", 4],
    ["a deleted end", "delete from kit.audit_seal where position in (5, 6)", 4],
    ["an unsigned beginning", "delete from kit.audit_seal where position = 1", 2],
  ])("reports %s as inserted", async (_what, change, auditId) => {
    await cutOff("1 and 6");
    await run(change);
    expect((await audit.verify()).broken).toMatchObject({ kind: "inserted", auditId });
    expect(await audit.prune(dayAt(3))).toMatchObject({ removed: 0 });
  });
});

test("seals late rows once after the highest sealed ids are pruned", async () => {
  const [one, other] = [
    await audit.db.startTransaction().execute(),
    await audit.db.startTransaction().execute(),
  ];
  await appendAudit(one, audit, entry());
  await audit.appendMany(1);
  await appendAudit(other, audit, entry());
  await audit.appendMany(1);
  await audit.seal();
  await one.commit().execute();
  await audit.seal();
  // The last sealed id was the lowest, so gaps above it are recorded again.
  expect(await audit.prune(dayAt(100))).toMatchObject({ start: 10 });
  await audit.seal();
  await other.commit().execute();
  await audit.seal();
  expect(await audit.sealedIds()).toEqual([9, 13, 11]);
  expect(shortOf(await audit.verify())).toEqual(wholeTo(13));
});

test("keeps the chain valid while writers and a sealer run", async () => {
  let isWriting = true;
  const write = async () => {
    while (isWriting) {
      await audit.appendMany(1);
      await audit.seal();
    }
  };
  const writing = write();
  for (const number of [1, 2, 3]) await audit.prune(dayAt(number));
  isWriting = false;
  await writing;
  await audit.seal();
  const { start: begins, broken } = await audit.verify();
  expect([begins, broken]).toEqual([6, undefined]);
});

/** Attack: a database writer deletes the beginning and claims that it was pruned. */
describe("a beginning that was deleted by hand", () => {
  const cut = async () => {
    await run("delete from kit.audit where id <= 4");
    await run("delete from kit.audit_seal where position <= 4");
  };
  const place = async (signature: Buffer) => {
    const { hash } = await audit.db
      .selectFrom("auditCheckpoint")
      .select("hash")
      .where("position", "=", 4)
      .executeTakeFirstOrThrow();
    await audit.db
      .insertInto("auditStart")
      .values({ position: 4, hash, sealedAt: new Date(start), signature })
      .execute();
    return hash;
  };

  test("is reported", async () => {
    await cut();
    expect((await audit.verify()).broken).toMatchObject({ kind: "removed", position: 1 });
  });

  test("is reported if its checkpoint is inserted as a start", async () => {
    await cut();
    const { signature } = await audit.db
      .selectFrom("auditCheckpoint")
      .select("signature")
      .where("position", "=", 4)
      .executeTakeFirstOrThrow();
    await place(signature);
    expect((await audit.verify()).broken).toMatchObject({ kind: "forged", position: 4 });
  });

  test("is reported if the start is signed with another secret", async () => {
    await cut();
    const hash = await place(firstHash);
    const sign = async (ring: typeof testRing) =>
      sql`update kit.audit_start set signature = ${signHead(ring, "start", { schema, position: 4, hash, at: new Date(start) })}`.execute(
        audit.db,
      );
    await sign(createSecretRing(["another secret, long enough for all"]));
    expect((await audit.verify()).broken).toMatchObject({ kind: "forged", position: 4 });
    await sign(testRing);
    expect(shortOf(await audit.verify())).toEqual(wholeTo(8));
  });

  test("is reported if an earlier start is restored", async () => {
    await audit.prune(dayAt(1));
    await audit.seal();
    await audit.prune(dayAt(3));
    await audit.seal();
    await run("delete from kit.audit_start where position = 6");
    expect((await audit.verify()).broken).toMatchObject({ kind: "removed", position: 3 });
  });
});

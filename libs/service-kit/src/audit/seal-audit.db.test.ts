import type { FactName } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createMetrics } from "../observe/metrics.ts";
import { appendAudit } from "./append-audit.ts";
import { lockChain } from "./chain-queries.ts";
import { sealAudit } from "./seal-audit.ts";
import { sealMilliseconds, startAuditSealer } from "./start-audit-sealer.ts";
import {
  entry,
  openAudit,
  type OpenedAudit,
  schema,
  silentLogger,
  shortOf,
} from "./test-audit.fixture.ts";

expectNoLeaks("file");

let audit: OpenedAudit;
beforeEach(async () => {
  audit = await openAudit();
});
afterEach(async () => {
  vi.useRealTimers();
  await audit.close();
});

const whole = (entries: number) => ({ entries, broken: undefined });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Opens a transaction that has written an entry and not committed yet. */
const openWriter = async (action: FactName = "session.revoked") => {
  const trx = await audit.db.startTransaction().execute();
  await appendAudit(trx, audit, entry({ action }));
  return trx;
};

const startSealer = (db = audit.db, onSealed?: () => void) =>
  startAuditSealer({
    ...audit.sealOptions,
    db,
    logger: silentLogger,
    metrics: createMetrics("test"),
    ...(onSealed && { onSealed }),
  });

describe("concurrent writers", () => {
  const writers = 16;
  const rounds = 12;
  /** Some transactions commit late, some roll back. */
  const write = async (writer: number) => {
    for (let round = 0; round < rounds; round += 1) {
      const trx = await audit.db.startTransaction().execute();
      for (let count = 0; count <= (writer + round) % 3; count += 1)
        await appendAudit(
          trx,
          audit,
          entry({ subject: { kind: "writer", id: `${writer}.${round}` } }),
        );
      if ((writer * rounds + round) % 5 === 0) await trx.rollback().execute();
      else await trx.commit().execute();
    }
  };
  const idsOf = async () =>
    (await audit.db.selectFrom("audit").select("id").orderBy("id").execute()).map(({ id }) => id);

  test("have each row sealed once by the sealers of two replicas", async () => {
    const sealers = [startSealer(audit.open("first")), startSealer(audit.open("second"))];
    let isWriting = true;
    const hurry = async (name: string) => {
      const options = { ...audit.sealOptions, db: audit.open(name), memory: {} };
      while (isWriting) await sealAudit(options);
    };
    const hurried = [hurry("third"), hurry("fourth")];
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    isWriting = false;
    await Promise.all(hurried);
    await Promise.all(sealers.map((sealer) => sealer.stop()));
    const ids = await idsOf();
    expect(ids.length).toBeGreaterThan(writers * rounds);
    expect((await audit.sealedIds()).toSorted((one, other) => one - other)).toEqual(ids);
    expect(shortOf(await audit.verify())).toEqual(whole(ids.length));
    expect(await audit.gaps()).toEqual([]);
  });

  test("leave a valid chain if sealers are killed midway", async () => {
    let isWriting = true;
    const hurry = async (name: string) => {
      const options = { ...audit.sealOptions, db: audit.open(name), memory: {} };
      while (isWriting) await sealAudit(options).catch(() => {});
    };
    const kill = async () => {
      let killed = 0;
      while (isWriting) {
        const { rows } = await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'killed%' and datname = current_database()
            and state <> 'idle'`.execute(audit.db);
        killed += rows.length;
      }
      return killed;
    };
    const work = [hurry("killed 1"), hurry("killed 2")];
    const killed = kill();
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    isWriting = false;
    await Promise.all(work);
    expect(await killed).toBeGreaterThan(0);
    await audit.seal();
    const ids = await idsOf();
    expect((await audit.sealedIds()).toSorted((one, other) => one - other)).toEqual(ids);
    expect(shortOf(await audit.verify())).toEqual(whole(ids.length));
  });
});

describe("rows that commit late", () => {
  test("are sealed later, and no transaction waits for them", async () => {
    const late = await openWriter();
    await audit.appendMany(2);
    await audit.seal();
    expect(await audit.sealedIds()).toEqual([2, 3]);
    await late.commit().execute();
    await audit.appendMany(1);
    await audit.seal();
    expect(await audit.sealedIds()).toEqual([2, 3, 1, 4]);
    await audit.seal();
    expect([await audit.gaps(), shortOf(await audit.verify())]).toEqual([[], whole(4)]);
  });

  test("keep their gap open until the writer commits or rolls back", async () => {
    const [one, other] = [await openWriter("user.created"), await openWriter("user.deleted")];
    await audit.appendMany(1);
    await audit.seal();
    await audit.seal();
    expect(await audit.gaps()).toEqual([{ firstId: 1, lastId: 2 }]);
    await one.rollback().execute();
    await audit.seal();
    expect(await audit.gaps()).toEqual([{ firstId: 1, lastId: 2 }]);
    await other.commit().execute();
    await audit.seal();
    expect([await audit.sealedIds(), await audit.gaps()]).toEqual([[3, 2], []]);
  });

  test("close a gap despite a writer that began after it was recorded", async () => {
    await (await openWriter()).rollback().execute();
    await audit.appendMany(1);
    await audit.seal();
    const later = await openWriter();
    await audit.seal();
    expect(await audit.gaps()).toEqual([]);
    await later.commit().execute();
  });
});

test("never blocks writers while a sealer holds the chain", async () => {
  await audit.appendMany(3);
  await audit.db.transaction().execute(async (trx) => {
    expect(await lockChain(trx, { schema, waits: false })).toBe(true);
    await audit.appendMany(2);
    // Another replica returns at once instead of waiting.
    expect(await sealAudit(audit.sealOptions)).toBe(false);
  });
  await audit.seal();
  expect(await audit.sealedIds()).toEqual(upTo(5));
});

describe("large logs", () => {
  test("seals rows that are older than the chain in id order and in batches", async () => {
    const count = 2_500;
    const old = await openAudit((db) =>
      sql`
        insert into kit.audit (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id, after)
        select now() - n * interval '1 second', 'user', 'u' || n, 'session', 's' || n, 'session.created', 'success', '', '',
          jsonb_build_object('n', n / 7.0, 'text', repeat('é', n % 50))
        from generate_series(1, ${count}::int) n`.execute(db),
    );
    await old.seal();
    expect(await old.sealedIds()).toEqual(upTo(count));
    expect(shortOf(await old.verify())).toEqual(whole(count));
    await old.close();
  });

  test("seals large rows a few at a time", async () => {
    await sql`
      insert into kit.audit (occurred_at, actor_kind, subject_kind, subject_id, action, outcome, address, request_id, before, after)
      select now(), 'system', 'thing', 'big', 'thing.changed', 'success', '', '',
        (select jsonb_object_agg(k, md5(k::text || n)) from generate_series(1, 30000) k),
        to_jsonb(repeat(md5(n::text), 30000))
      from generate_series(1, 12) n`.execute(audit.db);
    expect(await sealAudit(audit.sealOptions)).toBe(true);
    const first = (await audit.sealedIds()).length;
    expect([first > 0, first < 12]).toEqual([true, true]);
    await audit.seal();
    expect(await audit.sealedIds()).toEqual(upTo(12));
    expect(shortOf(await audit.verify())).toEqual(whole(12));
  });

  test("seals nesting and numbers beyond JavaScript's limits exactly", async () => {
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const states = [
      deep,
      "123456789012345678901234567890.10",
      "1e400",
      "null",
      '{"b":1,"aa":{"é":"\\u0001"}}',
    ];
    for (const after of states)
      await audit.db
        .insertInto("audit")
        .values({
          occurredAt: new Date(audit.clock()),
          actorKind: "system",
          subjectKind: "thing",
          subjectId: "odd",
          action: "thing.changed",
          outcome: "success",
          address: "",
          requestId: "",
          after,
        })
        .execute();
    await audit.seal();
    expect(shortOf(await audit.verify())).toEqual(whole(states.length));
    await sql`update kit.audit set after = '123456789012345678901234567890.1' where id = 2`.execute(
      audit.db,
    );
    expect(shortOf(await audit.verify()).broken).toEqual({
      kind: "changed",
      position: 2,
      auditId: 2,
    });
  });
});

describe("checkpoints", () => {
  test("sign the first entries at once, then each minute or each thousand entries", async () => {
    await audit.appendMany(3);
    await audit.seal();
    await audit.appendMany(2);
    await audit.seal();
    expect(await audit.checkpoints()).toEqual([3]);
    audit.advance(59_999);
    await audit.seal();
    expect(await audit.checkpoints()).toEqual([3]);
    audit.advance(1);
    await audit.seal();
    await audit.seal();
    expect(await audit.checkpoints()).toEqual([3, 5]);
    await audit.appendMany(999);
    await audit.seal();
    await audit.appendMany(1);
    await audit.seal();
    expect(await audit.checkpoints()).toEqual([3, 5, 1_005]);
    expect(shortOf(await audit.verify())).toEqual(whole(1_005));
  });

  test("verify after a secret rotation while the older secret is listed", async () => {
    const [older, newer] = [
      "an older secret, long enough for all",
      "a newer secret, long enough for all",
    ];
    await audit.appendMany(2);
    await audit.seal({ ring: createSecretRing([older]) });
    audit.advance(60_000);
    await audit.appendMany(2);
    const rotated = createSecretRing([newer, older]);
    await audit.seal({ ring: rotated });
    expect(await audit.checkpoints()).toEqual([2, 4]);
    expect(shortOf(await audit.verify(rotated))).toEqual(whole(4));
    const kinds = (await audit.verify(createSecretRing([newer]))).broken;
    expect(kinds).toMatchObject({ kind: "forged", position: 2 });
  });
});

describe("the sealer of a service", () => {
  test("seals committed rows", async () => {
    const sealer = startSealer();
    await audit.appendMany(3);
    await until(async () => (await audit.sealedIds()).length === 3);
    await audit.appendMany(1);
    await until(async () => (await audit.sealedIds()).length === 4);
    await sealer.stop();
  });

  test("seals and signs the remaining rows when it stops", async () => {
    await audit.appendMany(1);
    await audit.seal();
    const sealer = startSealer();
    await audit.appendMany(2);
    await sealer.stop();
    expect([await audit.sealedIds(), await audit.checkpoints()]).toEqual([
      [1, 2, 3],
      [1, 3],
    ]);
  });

  test("seals late and new rows when it stops", async () => {
    const late = await openWriter();
    await audit.appendMany(1);
    await audit.seal();
    await late.commit().execute();
    await audit.appendMany(1);
    await startSealer().stop();
    expect([await audit.sealedIds(), await audit.checkpoints()]).toEqual([
      [2, 1, 3],
      [1, 2, 3],
    ]);
  });

  test("leaves nothing unsigned if two sealers stop at once", async () => {
    const sealers = [startSealer(audit.open("first")), startSealer(audit.open("second"))];
    await audit.appendMany(5);
    await Promise.all(sealers.map((sealer) => sealer.stop()));
    expect((await audit.checkpoints()).at(-1)).toBe(5);
    expect(shortOf(await audit.verify())).toEqual(whole(5));
  });

  test("notifies every replica of new seals, and only then", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const calls = [0, 0];
    const sealers = [0, 1].map((replica) =>
      startSealer(audit.db, () => {
        calls[replica] = (calls[replica] ?? 0) + 1;
      }),
    );
    const look = () => vi.advanceTimersByTime(sealMilliseconds);
    look();
    await until(() => calls.every((count) => count === 1)); // the first look counts as one
    await audit.appendMany(3);
    await until(() => {
      look();
      return calls.every((count) => count === 2);
    });
    expect(await audit.sealedIds()).toEqual([1, 2, 3]);
    look();
    await Promise.all(sealers.map((sealer) => sealer.stop()));
    expect(calls).toEqual([2, 2]);
  });

  test("notifies of what it has sealed although a later batch fails", async () => {
    await sql`create function kit.fail() returns trigger language plpgsql as $$
      begin if new.position > 1000 then raise 'no room'; end if; return new; end $$`.execute(
      audit.db,
    );
    await sql`create trigger fail before insert on kit.audit_seal for each row execute function kit.fail()`.execute(
      audit.db,
    );
    let calls = 0;
    const sealer = startSealer(audit.db, () => {
      calls += 1;
    });
    await until(() => calls === 1); // the first look counts as one
    await audit.appendMany(1_001);
    await until(() => calls === 2);
    expect(await audit.sealedIds()).toHaveLength(1_000);
    await sealer.stop();
  });

  test("resumes when the store is available again", async () => {
    await sql`alter table kit.audit_seal rename to away`.execute(audit.db);
    const sealer = startSealer();
    await audit.appendMany(1);
    await sql`alter table kit.away rename to audit_seal`.execute(audit.db);
    await until(async () => (await audit.sealedIds()).length === 1);
    await sealer.stop();
  });

  test("reports the number of unsealed rows, including late ones, and the chain's position", async () => {
    const metrics = createMetrics("test");
    const sealer = startAuditSealer({ ...audit.sealOptions, logger: silentLogger, metrics });
    await sealer.stop();
    const late = await openWriter();
    await audit.appendMany(1);
    await audit.seal();
    await late.commit().execute();
    await audit.appendMany(2);
    const shown = async () => {
      const text = await metrics.registry.metrics();
      const readMetric = (name: string) =>
        Number(new RegExp(`^latchkey_${name}\\{[^}]*\\} (\\d+)$`, "m").exec(text)?.[1]);
      return [readMetric("audit_unsealed"), readMetric("audit_sealed")];
    };
    expect(await shown()).toEqual([3, 1]);
    await audit.seal();
    expect(await shown()).toEqual([0, 4]);
  });
});

import { type Kysely, sql } from "kysely";
import { compileOnce } from "../database/compile-once.ts";
import type { KitTables } from "../database/kit-tables.ts";
import type { AuditText } from "./chain-hash.ts";

type Db = Kysely<KitTables>;

/** How far a chain is. */
export interface ChainState {
  /** Of the last seal; 0 where there is none. */
  position: number;
  hash: Buffer | null;
  /** The highest id that is sealed, and the highest that there is; 0 where there is none. */
  sealedId: number;
  latestId: number;
  hasGaps: boolean;
  /** Of the last checkpoint; 0 where there is none. */
  signedPosition: number;
  signedAt: Date | null;
}

/** Ids without a row, both included. */
export interface Gap {
  firstId: number;
  lastId: number;
}

/** What a batch of rows may hold of stored bytes, so that a few large ones do not fill the memory. */
const bytesMax = 4 * 1024 ** 2;

const chainState = compileOnce<KitTables, object, ChainState>((db) =>
  db.selectNoFrom(({ selectFrom, exists, fn }) => {
    const last = selectFrom("auditSeal").orderBy("position", "desc").limit(1);
    const signed = selectFrom("auditCheckpoint").orderBy("position", "desc").limit(1);
    const zero = sql<number>`0`;
    const highest = selectFrom("auditSeal").select(({ fn }) => fn.max("auditId").as("id"));
    const latest = selectFrom("audit").select(({ fn }) => fn.max("id").as("id"));
    return [
      fn.coalesce(last.select("position"), zero).as("position"),
      last.select("hash").as("hash"),
      fn.coalesce(highest, zero).as("sealedId"),
      fn.coalesce(latest, zero).as("latestId"),
      exists(selectFrom("auditGap").select("firstId")).as("hasGaps"),
      fn.coalesce(signed.select("position"), zero).as("signedPosition"),
      signed.select("sealedAt").as("signedAt"),
    ];
  }),
);

/** Everything by an end of an index, however long the chain is. */
export const findChainState = async (db: Db): Promise<ChainState> =>
  (await chainState(db, {}))[0] as ChainState; // there is always one

/** The hash at a position; undefined where nothing is sealed. */
export const findSealHash = async (db: Db, position: number): Promise<Buffer | undefined> => {
  const seal = db.selectFrom("auditSeal").select("hash").where("position", "=", position);
  return (await seal.executeTakeFirst())?.hash;
};

/**
 * Makes this transaction the only one that goes on with a chain; false where another one is at it, unless it `waits` (five
 * seconds at most). Should its process come to a halt, Postgres ends it half a minute later.
 */
export const lockChain = async (
  trx: Db,
  { schema, waits }: { schema: string; waits: boolean },
): Promise<boolean> => {
  const key = sql`hashtext(${`latchkey audit ${schema}`})`;
  const lock = waits
    ? sql`pg_advisory_xact_lock(${key})::text = ''`
    : sql`pg_try_advisory_xact_lock(${key})`;
  const { rows } = await sql<{ locked: boolean }>`
    select set_config('idle_in_transaction_session_timeout', '30s', true),
      set_config('lock_timeout', '5s', true), ${lock} as locked`.execute(trx);
  return rows[0]?.locked === true;
};

/** The columns of an audit row as texts. Services tell milliseconds; a time with more to it, or of another era, is no other's text. */
const texts = sql`
  audit.id,
  to_char(
    audit.occurred_at at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.'
      || case date_trunc('milliseconds', audit.occurred_at) when audit.occurred_at then 'MS' else 'US' end
      || case when audit.occurred_at < '0001-01-01T00:00:00Z' then '"Z" BC' else '"Z"' end
  ) as occurred_at,
  audit.actor_kind, audit.actor_id, audit.subject_kind, audit.subject_id,
  audit.action, audit.outcome, audit.address, audit.request_id,
  audit.before::text as before, audit.after::text as after`;

/** The first of some rows, in the order of ids, as many as may be held in memory and one at least. */
const listTexts = async (trx: Db, found: ReturnType<typeof sql>): Promise<AuditText[]> => {
  const size = sql`coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(after), 0)`;
  const { rows } = await sql<AuditText>`
    select ${texts}
    from (
      select *, sum(${size}) over (order by id rows between unbounded preceding and 1 preceding) as bytes_before
      from (${found}) as found
    ) as audit
    where coalesce(bytes_before, 0) < ${bytesMax}::bigint
    order by id`.execute(trx);
  return rows;
};

/** The first rows after an id, in the order of ids. */
export const listRowsAfter = (
  trx: Db,
  schema: string,
  { id, limit }: { id: number; limit: number },
): Promise<AuditText[]> =>
  listTexts(
    trx,
    sql`select * from ${sql.id(schema, "audit")} where id > ${id} order by id limit ${limit}`,
  );

/** Rows that have come to be in gaps and are not sealed, each once however gaps overlap, in the order of ids. */
export const listLateRows = (trx: Db, schema: string, limit: number): Promise<AuditText[]> =>
  listTexts(
    trx,
    sql`
      select * from ${sql.id(schema, "audit")} where id in (
        select distinct audit.id
        from ${sql.id(schema, "audit_gap")} as gap
        join ${sql.id(schema, "audit")} as audit on audit.id between gap.first_id and gap.last_id
        where not exists (
          select from ${sql.id(schema, "audit_seal")} as seal where seal.audit_id = audit.id
        )
        order by audit.id limit ${limit}
      )`,
  );

/**
 * The transactions that may have drawn the id of an audit row and not ended: an insert locks the table before it draws one, and
 * keeps that lock until the end.
 */
export const listWriters = async (trx: Db, schema: string): Promise<string[]> => {
  const { rows } = await sql<{ writer: string }>`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = ${`"${schema}"."audit"`}::regclass
      and database = (select oid from pg_database where datname = current_database())
      and mode = 'RowExclusiveLock' and pid is distinct from pg_backend_pid()`.execute(trx);
  return rows.map(({ writer }) => writer);
};

/** Notes ids without a row, and who might still write one. */
export const insertGaps = async (
  trx: Db,
  schema: string,
  { gaps, writers }: { gaps: readonly Gap[]; writers: readonly string[] },
): Promise<void> => {
  await sql`
    insert into ${sql.id(schema, "audit_gap")} (first_id, last_id, writers)
    select first_id, last_id, ${[...writers]}::text[]
    from unnest(
      ${gaps.map(({ firstId }) => firstId)}::bigint[], ${gaps.map(({ lastId }) => lastId)}::bigint[]
    ) as given (first_id, last_id)
    on conflict do nothing`.execute(trx);
};

/** Forgets the gaps in which nobody of these can still write. */
export const deleteGapsWithout = async (trx: Db, writers: readonly string[]): Promise<void> => {
  await trx
    .deleteFrom("auditGap")
    .where(sql<boolean>`not (writers && ${[...writers]}::text[])`)
    .execute();
};

export const insertSeals = async (
  trx: Db,
  schema: string,
  seals: readonly { position: number; auditId: number; hash: Buffer }[],
): Promise<void> => {
  await sql`
    insert into ${sql.id(schema, "audit_seal")} (position, audit_id, hash)
    select * from unnest(
      ${seals.map(({ position }) => position)}::bigint[],
      ${seals.map(({ auditId }) => auditId)}::bigint[],
      ${seals.map(({ hash }) => hash)}::bytea[]
    )`.execute(trx);
};

/** A checkpoint or a start as it rests. */
export interface SignedRow {
  position: number;
  hash: Buffer;
  sealedAt: Date;
  signature: Buffer;
}

/** Signs a position once: where the chain was cut back and goes on otherwise, what was signed first stays. */
export const insertCheckpoint = async (trx: Db, checkpoint: SignedRow): Promise<void> => {
  await trx
    .insertInto("auditCheckpoint")
    .values(checkpoint)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** How many rows are not sealed, up to `max`. */
export const countUnsealed = async (
  db: Db,
  { sealedId, max }: { sealedId: number; max: number },
): Promise<number> => {
  const fresh = db.selectFrom("audit").select("id").where("id", ">", sealedId);
  const late = db
    .selectFrom("auditGap")
    .innerJoin("audit", (join) =>
      join.onRef("audit.id", ">=", "auditGap.firstId").onRef("audit.id", "<=", "auditGap.lastId"),
    )
    .leftJoin("auditSeal", "auditSeal.auditId", "audit.id")
    .where("auditSeal.position", "is", null)
    .select("audit.id");
  const { count } = await db
    .selectFrom(fresh.unionAll(late).limit(max).as("unsealed"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

/** A place of the chain: a seal with the row that it is of, null where that is gone. */
export interface SealedRow {
  position: number;
  hash: Buffer;
  auditId: number;
  row: AuditText | null;
}

/** The places after a position, in order. */
export const listSealedRows = async (
  db: Db,
  schema: string,
  { after, limit }: { after: number; limit: number },
): Promise<SealedRow[]> => {
  const { rows } = await sql<Omit<SealedRow, "row"> & AuditText>`
    select seal.position, seal.hash, seal.audit_id, ${texts}
    from ${sql.id(schema, "audit_seal")} as seal
    left join ${sql.id(schema, "audit")} as audit on audit.id = seal.audit_id
    where seal.position > ${after}
    order by seal.position limit ${limit}`.execute(db);
  return rows.map(({ position, hash, auditId, ...row }) => ({
    position,
    hash,
    auditId,
    row: row.id === null ? null : row,
  }));
};

/** The checkpoints after a position and up to another, in order. */
export const listCheckpoints = (
  db: Db,
  { after, upTo }: { after: number; upTo: number | undefined },
): Promise<SignedRow[]> =>
  db
    .selectFrom("auditCheckpoint")
    .select(["position", "hash", "sealedAt", "signature"])
    .where("position", ">", after)
    .$if(upTo !== undefined, (query) => query.where("position", "<=", upTo as number))
    .orderBy("position")
    .execute();

/** A row that is not sealed. */
export interface UnsealedRow {
  id: number;
  /** Whether it is in a gap, and will be sealed. */
  isAwaited: boolean;
}

const unsealedRows = (db: Db) =>
  db
    .selectFrom("audit")
    .leftJoin("auditSeal", "auditSeal.auditId", "audit.id")
    .select(({ exists, selectFrom }) => [
      "audit.id",
      exists(
        selectFrom("auditGap")
          .select("firstId")
          .whereRef("firstId", "<=", "audit.id")
          .whereRef("lastId", ">=", "audit.id"),
      )
        .$castTo<boolean>()
        .as("isAwaited"),
    ])
    .where("auditSeal.position", "is", null);

/** The first row up to an id that is not sealed though it did not happen within these times. Goes through all rows. */
export const findUnsealed = (
  db: Db,
  { upTo, from, to }: { upTo: number; from: Date; to: Date },
): Promise<UnsealedRow | undefined> =>
  unsealedRows(db)
    .where("audit.id", "<=", upTo)
    .where(({ between, not }) => not(between("audit.occurredAt", from, to)))
    .orderBy("audit.id")
    .limit(1)
    .executeTakeFirst();

/** A row, if it is not sealed. */
export const findIfUnsealed = (db: Db, id: number): Promise<UnsealedRow | undefined> =>
  unsealedRows(db).where("audit.id", "=", id).executeTakeFirst();

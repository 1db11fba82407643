import { expressionBuilder, type Kysely, sql } from "kysely";
import { compileOnce } from "../database/compile-once.ts";
import type { KitTables } from "../database/kit-tables.ts";
import type { AuditText } from "./chain-hash.ts";

type Db = Kysely<KitTables>;

export interface ChainState {
  /** Position of the last seal, or 0 without one. */
  position: number;
  hash: Buffer | null;
  /** The highest sealed id and the highest existing id, or 0 without one. */
  sealedId: number;
  latestId: number;
  hasGaps: boolean;
  /** Position of the last checkpoint, or 0 without one. */
  signedPosition: number;
  signedAt: Date | null;
}

/** A range of ids without a row, both ends included. */
export interface Gap {
  firstId: number;
  lastId: number;
}

/** Limits the stored bytes of a batch, so that a few large rows do not fill the memory. */
const bytesMax = 4 * 1024 ** 2;

const chainState = compileOnce((db: Db) =>
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

/** Reads only the ends of indexes, so the cost does not depend on the chain's length. */
export const findChainState = async (db: Db): Promise<ChainState> =>
  (await chainState.first(db, {})) as ChainState; // the query always returns one row

/** Returns the hash at a position, or undefined if nothing is sealed there. */
export const findSealHash = async (db: Db, position: number): Promise<Buffer | undefined> => {
  const seal = db.selectFrom("auditSeal").select("hash").where("position", "=", position);
  return (await seal.executeTakeFirst())?.hash;
};

/**
 * Locks the chain for this transaction. Without `waits`, returns false if another transaction holds the lock. With it, waits up to
 * five seconds, then rejects. Postgres ends the transaction if its process is idle for 30 seconds.
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

/**
 * Selects the columns of an audit row as text. Services write milliseconds. A time with microseconds or before the common era
 * gets a distinct text, so that no two different times share one.
 */
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

/** Returns the first rows by id, within the byte limit and at least one. */
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

/** Returns the first rows after an id, by id. */
export const listRowsAfter = (
  trx: Db,
  schema: string,
  { id, limit }: { id: number; limit: number },
): Promise<AuditText[]> =>
  listTexts(
    trx,
    sql`select * from ${sql.id(schema, "audit")} where id > ${id} order by id limit ${limit}`,
  );

/** Returns rows that appeared in gaps and are not sealed, by id. Overlapping gaps do not repeat a row. */
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
 * Returns the open transactions that may have drawn an audit id. An insert locks the table before it draws an id, and keeps
 * that lock until its transaction ends.
 */
export const listWriters = async (trx: Db, schema: string): Promise<string[]> => {
  const { rows } = await sql<{ writer: string }>`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = ${`"${schema}"."audit"`}::regclass
      and database = (select oid from pg_database where datname = current_database())
      and mode = 'RowExclusiveLock' and pid is distinct from pg_backend_pid()`.execute(trx);
  return rows.map(({ writer }) => writer);
};

/** Records gaps in the ids with the transactions that may still write into them. */
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

/** Deletes the gaps into which none of these transactions can still write. */
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

export interface SignedRow {
  position: number;
  hash: Buffer;
  sealedAt: Date;
  signature: Buffer;
}

/**
 * Inserts a checkpoint, and keeps an existing one at its position. If the chain was cut and continued differently, the first
 * signature stays as evidence.
 */
export const insertCheckpoint = async (trx: Db, checkpoint: SignedRow): Promise<void> => {
  await trx
    .insertInto("auditCheckpoint")
    .values(checkpoint)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

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

/** A seal with its row, or null if the row is deleted. */
export interface SealedRow {
  position: number;
  hash: Buffer;
  auditId: number;
  row: AuditText | null;
}

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

/** Returns the checkpoints after a position up to another, in order. */
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

export interface UnsealedRow {
  id: number;
  /** Whether the row is in a recorded gap, and will therefore be sealed. */
  isAwaited: boolean;
}

const { exists, selectFrom } = expressionBuilder<KitTables, "audit">();
const isInGap = exists(
  selectFrom("auditGap")
    .select("firstId")
    .whereRef("firstId", "<=", "audit.id")
    .whereRef("lastId", ">=", "audit.id"),
).$castTo<boolean>();

const unsealedRows = (db: Db) =>
  db
    .selectFrom("audit")
    .leftJoin("auditSeal", "auditSeal.auditId", "audit.id")
    .select(["audit.id", isInGap.as("isAwaited")])
    .where("auditSeal.position", "is", null);

interface UnsealedSearch {
  /** The highest id. */
  upTo: number;
  /** Leaves out rows that occurred between the two. */
  except?: { from: Date; to: Date };
  isAwaited?: boolean;
}

/** Returns the first unsealed row. Scans all rows. */
export const findUnsealed = (
  db: Db,
  { upTo, except, isAwaited }: UnsealedSearch,
): Promise<UnsealedRow | undefined> =>
  unsealedRows(db)
    .where("audit.id", "<=", upTo)
    .$if(except !== undefined, (query) =>
      query.where(({ between, not }) =>
        not(between("audit.occurredAt", except?.from as Date, except?.to as Date)),
      ),
    )
    .$if(isAwaited !== undefined, (query) => query.where(isInGap, "=", isAwaited as boolean))
    .orderBy("audit.id")
    .limit(1)
    .executeTakeFirst();

export const findIfUnsealed = (db: Db, id: number): Promise<UnsealedRow | undefined> =>
  unsealedRows(db).where("audit.id", "=", id).executeTakeFirst();

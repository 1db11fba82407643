import {
  createSecretRing,
  openLegacyKey,
  seal,
  type SealedPlace,
  sealedPlacesOf,
  secretName,
  type SecretRing,
  unseal,
} from "@latchkey/crypto";
import { type Kysely, sql } from "kysely";
import type { Logger } from "../observe/logger.ts";
import { type Background, every } from "../background/every.ts";

/** The values of a column, by the secret that opens them. */
export interface SealedCounts {
  place: SealedPlace;
  /** Opened by the current secret. */
  current: number;
  /** Opened by an earlier secret only. A reseal seals them with the current one, and counts them here. */
  earlier: number;
  /** Opened by no configured secret. */
  closed: number;
}

interface SealedRow {
  key: string;
  value: string;
  subject: string | null;
}

interface Pass {
  /** All secrets. */
  ring: SecretRing;
  /** The current secret alone. */
  currentRing: SecretRing;
  place: SealedPlace;
}

const batchSize = 500;
/** A text that `seal` returns, of any length. */
const sealedForm = /^v1\.[\w-]{38,}$/;

const listRows = async (
  db: Kysely<any>,
  { service, table, key, column, subject }: SealedPlace,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<SealedRow[]> => {
  const { rows } = await sql<SealedRow>`
    select ${sql.id(key)} as key, ${sql.id(column)} as value,
      ${subject === undefined ? sql`null::text` : sql.id(subject)} as subject
    from ${sql.id(service, table)}
    where ${sql.id(column)} is not null ${after === undefined ? sql`` : sql`and ${sql.id(key)} > ${after}`}
    order by ${sql.id(key)} limit ${limit}`.execute(db);
  return rows;
};

/** Replaces sealed values, each unless it has changed since. Returns the number. */
const replaceValues = async (
  db: Kysely<any>,
  { service, table, key, column, sealedBy }: SealedPlace,
  {
    changes,
    name,
  }: { changes: readonly { key: string; from: string; to: string }[]; name: string },
): Promise<number> => {
  if (changes.length === 0) return 0;
  const texts = (member: "from" | "key" | "to") => changes.map((change) => change[member]);
  const { numAffectedRows } = await sql`
    update ${sql.id(service, table)} as stored
    set ${sql.id(column)} = change.value_to
      ${sealedBy === undefined ? sql`` : sql`, ${sql.id(sealedBy)} = ${name}`}
    from unnest(${texts("key")}::text[], ${texts("from")}::text[], ${texts("to")}::text[])
      as change (key, value_from, value_to)
    where ${sql.id("stored", key)} = change.key and ${sql.id("stored", column)} = change.value_from`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
};

type Verdict = { kind: "clear" | "closed" | "current" } | { kind: "earlier"; sealed: string };

/** Opens a value with the current secret, then with the earlier ones. */
const examineValue = (
  { ring, currentRing, place }: Pass,
  { value, subject }: SealedRow,
): Verdict => {
  if (place.isLegacy && value.startsWith('"')) {
    const [purpose] = place.purposes;
    const text = openLegacyKey(ring, value);
    if (text === undefined || purpose === undefined) return { kind: "closed" };
    return openLegacyKey(currentRing, value) === undefined
      ? { kind: "earlier", sealed: seal(ring, purpose, text) }
      : { kind: "current" };
  }
  if (!sealedForm.test(value)) return { kind: "clear" };
  for (const purpose of place.purposes) {
    const sealedFor = subject === null ? purpose : { purpose, subject };
    if (unseal(currentRing, sealedFor, value) !== undefined) return { kind: "current" };
    const text = unseal(ring, sealedFor, value);
    if (text !== undefined) return { kind: "earlier", sealed: seal(ring, sealedFor, text) };
  }
  return { kind: place.mayBeClear ? "clear" : "closed" };
};

interface PassOptions {
  db: Kysely<any>;
  service: string;
  ring: SecretRing;
  /** Ends the pass early. The next pass continues with the rest. */
  signal?: AbortSignal | undefined;
  /** Maximum number of rows of each column. */
  rowsMax?: number;
  /** Seals the values of earlier secrets again. Otherwise they are only counted. */
  isResealing: boolean;
}

const passColumn = async (
  { db, ring, signal, rowsMax = Number.POSITIVE_INFINITY, isResealing }: PassOptions,
  place: SealedPlace,
): Promise<SealedCounts> => {
  const pass = { ring, currentRing: createSecretRing([ring.current]), place };
  const counts = { place, current: 0, earlier: 0, closed: 0 };
  let [after, seen]: [string | undefined, number] = [undefined, 0];
  for (;;) {
    const limit = Math.min(batchSize, rowsMax - seen);
    const rows: SealedRow[] =
      limit > 0 && !signal?.aborted ? await listRows(db, place, { after, limit }) : [];
    const changes: { key: string; from: string; to: string }[] = [];
    for (const row of rows) {
      const verdict = examineValue(pass, row);
      if (verdict.kind === "earlier")
        changes.push({ key: row.key, from: row.value, to: verdict.sealed });
      else if (verdict.kind !== "clear") counts[verdict.kind] += 1;
    }
    counts.earlier += isResealing
      ? await replaceValues(db, place, { changes, name: secretName(ring) })
      : changes.length;
    seen += rows.length;
    after = rows.at(-1)?.key;
    if (after === undefined || rows.length < limit) return counts;
  }
};

/**
 * Looks at every sealed value of a service, one column after the other in the order of their keys. May run beside the service, and any
 * number of times at once: a value that changes meanwhile is left to its new owner.
 */
export const passSealed = async (options: PassOptions): Promise<SealedCounts[]> => {
  const counts: SealedCounts[] = [];
  for (const place of sealedPlacesOf(options.service))
    counts.push(await passColumn(options, place));
  return counts;
};

const passMilliseconds = 600_000;

/** Seals values outside of the columns again. Returns the number. */
type ResealElsewhere = (signal: AbortSignal) => Promise<number>;

interface Resealing extends Pick<PassOptions, "db" | "ring" | "service"> {
  logger: Logger;
  elsewhere: ResealElsewhere | undefined;
}

/**
 * Seals the values of earlier secrets again in the background, so that those secrets can be left out. Repeats the pass until one finds
 * none, because other processes may still use an earlier secret. With one secret there is nothing to do.
 */
export const startResealing = ({ elsewhere, logger, ...options }: Resealing): Background => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isDone = options.ring.all.length === 1;
  const work = every(passMilliseconds, logger, async () => {
    if (isDone) return;
    const counts = await passSealed({ ...options, signal, isResealing: true });
    const others = (await elsewhere?.(signal)) ?? 0;
    const resealed = counts.reduce((sum, { earlier }) => sum + earlier, others);
    const closed = counts.reduce((sum, count) => sum + count.closed, 0);
    if (resealed > 0 || closed > 0)
      logger.info({ resealed, closed }, "sealed values of earlier secrets again");
    isDone = resealed === 0 && !signal.aborted;
  });
  work.wake();
  return {
    stop: async () => {
      stopping.abort();
      await work.stop();
    },
  };
};

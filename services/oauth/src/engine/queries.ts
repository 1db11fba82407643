import { randomUUID } from "node:crypto";
import { deleteRowsBefore } from "@latchkey/service-kit/database";
import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import {
  type ArtifactKind,
  type ArtifactTable,
  type GrantEnd,
  schema,
  type Tables,
} from "../db/tables.ts";
import { scopeNames } from "./client-metadata.ts";

/** A client with the hashes of the secrets that it may use. */
export type FoundClient = Awaited<ReturnType<typeof findClient>>;

/** Returns a client, also a disabled one, with the hashes of its secrets that have not expired. */
export const findClient = async (db: Kysely<Tables>, id: string, now: Date) => {
  const client = await db.selectFrom("client").selectAll().where("id", "=", id).executeTakeFirst();
  if (!client) return undefined;
  const secrets = await db
    .selectFrom("clientSecret")
    .select("hash")
    .where("clientId", "=", id)
    .where((eb) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", now)]))
    .execute();
  return { ...client, secretHashes: secrets.map(({ hash }) => hash) };
};

export type GrantRow = Selectable<Tables["grant"]>;

/** Returns a grant that has not ended. */
export const findGrant = (db: Kysely<Tables>, id: string): Promise<GrantRow | undefined> =>
  db
    .selectFrom("grant")
    .selectAll()
    .where("id", "=", id)
    .where("endedAt", "is", null)
    .executeTakeFirst();

export interface ArtifactKey {
  hash: Buffer;
  kind: ArtifactKind;
}

/** Returns an artifact, unless its grant has ended. */
export const findArtifact = (db: Kysely<Tables>, { hash, kind }: ArtifactKey) =>
  db
    .selectFrom("artifact")
    .leftJoin("grant", "grant.id", "artifact.grantId")
    .select(["artifact.payload", "artifact.consumedAt", "artifact.userId"])
    .where("artifact.hash", "=", hash)
    .where("artifact.kind", "=", kind)
    .where("grant.endedAt", "is", null)
    .executeTakeFirst();

/**
 * Uses an artifact up: of any number of callers exactly one gets true. `answerSealed` is stored with the use. The row lock lets the others wait
 * for the commit, after which they find the answer.
 */
export const consumeArtifact = async (
  db: Kysely<Tables>,
  { hash, kind }: ArtifactKey,
  use: { now: Date; answerSealed: string | null },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("artifact")
    .set({ consumedAt: use.now, answerSealed: use.answerSealed })
    .where("hash", "=", hash)
    .where("kind", "=", kind)
    .where("consumedAt", "is", null)
    .where("expiresAt", ">", use.now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

/** Returns the sealed answer to the use of an artifact after a time, while its grant lives. */
export const findAnswer = async (
  db: Kysely<Tables>,
  { hash, kind }: ArtifactKey,
  after: Date,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom("artifact")
    .innerJoin("grant", "grant.id", "artifact.grantId")
    .select("artifact.answerSealed")
    .where("artifact.hash", "=", hash)
    .where("artifact.kind", "=", kind)
    .where("artifact.consumedAt", ">", after)
    .where("grant.endedAt", "is", null)
    .executeTakeFirst();
  return row?.answerSealed ?? undefined;
};

/** Deletes an artifact, and with `after` only one that expires later. Returns whether it was there. */
export const deleteArtifact = async (
  db: Kysely<Tables>,
  { hash, kind, after }: ArtifactKey & { after?: Date },
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("artifact")
    .where("hash", "=", hash)
    .where("kind", "=", kind)
    .$if(after !== undefined, (query) => query.where("expiresAt", ">", after ?? new Date(0)))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
};

/** Inserts artifacts. Returns false if one of them is there: the proof or assertion of a client that another request has used. */
export const insertArtifacts = async (
  db: Kysely<Tables>,
  rows: readonly Insertable<ArtifactTable>[],
): Promise<boolean> => {
  if (rows.length === 0) return true;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("artifact")
    .values(rows)
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === BigInt(rows.length);
};

export const insertGrant = async (
  db: Kysely<Tables>,
  row: Insertable<Tables["grant"]>,
): Promise<void> => {
  await db.insertInto("grant").values(row).execute();
};

/** More precise times would make each token of a client write the same row. */
const useMilliseconds = 60_000;

/**
 * Records that a client got a code or token, of a user or of its own. No token waits for the row of the client, which all of its users share.
 * A user who was not asked, because the client is trusted, gets a consent without scopes, so that lists show every user of a client.
 */
export const recordUse = async (
  db: Kysely<Tables>,
  { clientId, userId, now }: { clientId: string; userId: string | null; now: Date },
): Promise<void> => {
  const before = new Date(now.getTime() - useMilliseconds);
  const client = sql.id(schema, "client");
  const consent = sql.id(schema, "consent");
  await sql`
    with used as (
      update ${client} set last_used_at = ${now}
      where id in (
        select id from ${client}
        where id = ${clientId} and coalesce(last_used_at < ${before}, true)
        for no key update skip locked
      )
    ), trusting as (
      insert into ${consent} (id, client_id, user_id, scopes, created_at, updated_at, last_used_at)
      select ${randomUUID()}, id, ${userId}::text, '', ${now}::timestamptz, ${now}, ${now} from ${client}
      where id = ${clientId} and skip_consent and ${userId}::text is not null
      on conflict (user_id, client_id) do nothing
    )
    update ${consent} set last_used_at = ${now}
    where client_id = ${clientId} and user_id = ${userId} and coalesce(last_used_at < ${before}, true)`.execute(
    db,
  );
};

/** Which grants end. */
export type GrantFilter = { id: string } | { clientId: string; userId?: string };

/** Ends grants, and with them everything that belongs to them. Returns those that had not ended. */
export const endGrants = (
  db: Kysely<Tables>,
  filter: GrantFilter,
  end: { now: Date; reason: GrantEnd },
): Promise<Pick<GrantRow, "clientId" | "id" | "userId">[]> =>
  db
    .updateTable("grant")
    .set({ endedAt: end.now, endReason: end.reason })
    .where((eb) => eb.and(filter))
    .where("endedAt", "is", null)
    .returning(["id", "clientId", "userId"])
    .execute();

/** Returns the scopes that a user has granted to a client. */
export const findConsentedScopes = async (
  db: Kysely<Tables>,
  { userId, clientId }: { userId: string; clientId: string },
): Promise<string[]> => {
  const row = await db
    .selectFrom("consent")
    .select("scopes")
    .where("userId", "=", userId)
    .where("clientId", "=", clientId)
    .executeTakeFirst();
  return scopeNames(row?.scopes);
};

/** Returns whether a consent has scopes, and keeps it so until the transaction ends: a withdrawal waits, and then ends what has begun. */
export const holdConsent = async (
  trx: Kysely<Tables>,
  { userId, clientId, scopes }: { userId: string; clientId: string; scopes: readonly string[] },
): Promise<boolean> => {
  const row = await trx
    .selectFrom("consent")
    .select("scopes")
    .where("userId", "=", userId)
    .where("clientId", "=", clientId)
    .forShare()
    .executeTakeFirst();
  const consented = scopeNames(row?.scopes);
  return scopes.every((scope) => consented.includes(scope));
};

/** Deletes artifacts that have expired. A used refresh token stays until then, so that its replay is noticed. */
export const deleteExpiredArtifacts = (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "artifact", { key: ["hash"], column: "expiresAt", before, limit });

/** Deletes clients that nobody verified, and that no user has used since before a time. */
export const deleteUnusedClients = async (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("client")
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("client as unused")
        .select("unused.id")
        .where("unused.origin", "<>", "admin")
        .where("unused.updatedAt", "<", before)
        .where(({ exists, not, selectFrom: from }) =>
          not(
            exists(from("grant").select("grant.id").whereRef("grant.clientId", "=", "unused.id")),
          ),
        )
        .where(({ exists, not, selectFrom: from }) =>
          not(
            exists(
              from("consent").select("consent.id").whereRef("consent.clientId", "=", "unused.id"),
            ),
          ),
        )
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

/** Deletes grants that ended some time ago, with everything of them. */
export const deleteEndedGrants = (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "grant", { key: ["id"], column: "endedAt", before, limit });

/**
 * Deletes grants of which nothing is left: no code, and no token that could be used or refreshed. A grant begins together with its code, or
 * with the approval of a device, so a new one is never without.
 */
export const deleteSpentGrants = async (db: Kysely<Tables>, limit: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("grant")
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("grant as spent")
        .leftJoin("artifact", "artifact.grantId", "spent.id")
        .leftJoin("deviceRequest", "deviceRequest.grantId", "spent.id")
        .select("spent.id")
        .where("spent.endedAt", "is", null)
        .where("artifact.hash", "is", null)
        .where("deviceRequest.hash", "is", null)
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

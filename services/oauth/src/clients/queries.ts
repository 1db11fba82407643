import { namesOf, qualified } from "@latchkey/service-kit/database";
import { containsText, hasIds, type List, selectColumns } from "@latchkey/service-kit/lists";
import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import { clientColumns, type ClientTable, schema, type Tables } from "../db/tables.ts";

export type ClientRow = Selectable<ClientTable>;

/** A client with the end of the overlap of its last rotation, while that lasts. */
export type ListedClient = ClientRow & { formerSecretUntil: Date | null };

interface ClientFilter {
  /** A part of the name, or the whole id. */
  searchValue?: string | undefined;
  state?: "disabled" | "enabled" | undefined;
  ids?: string | readonly string[] | undefined;
}

const formerSecretUntil = sql`(
  select max(expires_at) from ${sql.id(schema, "client_secret")} as secret
  where secret.client_id = client.id and expires_at > now()
)`;

const nameInMetadata = sql`lower(metadata::json ->> 'client_name')`;

/** All clients, newest first by default. A search reads all of them, because they are few. */
export const clientList: List<ListedClient, ClientFilter> = {
  schema,
  table: "client",
  select: sql<ListedClient>`
    ${selectColumns(qualified("client", namesOf(clientColumns)))},
    ${formerSecretUntil} as former_secret_until`,
  keys: {
    createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true },
    lastUsedAt: { sql: sql.ref("lastUsedAt"), type: "time", isIndexed: false },
  },
  order: { by: "createdAt", direction: "desc" },
  where: ({ searchValue, state, ids }) => [
    hasIds(ids),
    searchValue && {
      sql: sql<boolean>`(id = ${searchValue} or ${containsText(nameInMetadata, searchValue)})`,
      isSearch: true,
    },
    state && { sql: sql<boolean>`disabled = ${state === "disabled"}`, isSearch: true },
  ],
};

/** Ends the secret that a rotation has replaced. Returns when it would have ended, if there was one. */
export const endFormerSecret = async (
  trx: Kysely<Tables>,
  { clientId, now }: { clientId: string; now: Date },
): Promise<Date | undefined> => {
  const row = await trx
    .deleteFrom("clientSecret")
    .where("clientId", "=", clientId)
    .where("expiresAt", ">", now)
    .returning("expiresAt")
    .executeTakeFirst();
  return row?.expiresAt ?? undefined;
};

/** The most clients that are listed at once. */
const listedMax = 1_000;

export const listClients = (db: Kysely<Tables>): Promise<ClientRow[]> =>
  db
    .selectFrom("client")
    .selectAll()
    .orderBy("createdAt", "desc")
    .orderBy("id")
    .limit(listedMax)
    .execute();

export const findClientRow = (db: Kysely<Tables>, id: string): Promise<ClientRow | undefined> =>
  db.selectFrom("client").selectAll().where("id", "=", id).executeTakeFirst();

export const lockClient = (trx: Kysely<Tables>, id: string): Promise<ClientRow | undefined> =>
  trx.selectFrom("client").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();

export const insertClient = async (
  trx: Kysely<Tables>,
  row: Insertable<ClientTable>,
): Promise<void> => {
  await trx.insertInto("client").values(row).execute();
};

export const updateClientRow = async (
  trx: Kysely<Tables>,
  id: string,
  change: Pick<
    ClientRow,
    | "disabled"
    | "machineScopes"
    | "metadata"
    | "requirePkce"
    | "resources"
    | "skipConsent"
    | "updatedAt"
  >,
): Promise<void> => {
  await trx.updateTable("client").set(change).where("id", "=", id).execute();
};

/** Deletes a client with its secrets, consents and waiting devices. */
export const deleteClientRow = async (trx: Kysely<Tables>, id: string): Promise<void> => {
  await trx.deleteFrom("client").where("id", "=", id).execute();
  for (const table of ["artifact", "deviceRequest"] as const)
    await trx.deleteFrom(table).where("clientId", "=", id).execute();
};

/** Replaces the secret of a client. The former one works until `formerUntil`. Earlier ones end. */
export const replaceSecret = async (
  trx: Kysely<Tables>,
  {
    clientId,
    hash,
    now,
    formerUntil,
  }: { clientId: string; hash: Buffer; now: Date; formerUntil: Date },
): Promise<void> => {
  await trx
    .deleteFrom("clientSecret")
    .where("clientId", "=", clientId)
    .where("expiresAt", "is not", null)
    .execute();
  await trx
    .updateTable("clientSecret")
    .set({ expiresAt: formerUntil })
    .where("clientId", "=", clientId)
    .execute();
  await trx
    .insertInto("clientSecret")
    .values({ hash, clientId, createdAt: now, expiresAt: null })
    .execute();
};

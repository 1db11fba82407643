import type { Insertable, Kysely, Selectable } from "kysely";
import type { ClientTable, Tables } from "../db/tables.ts";

export type ClientRow = Selectable<ClientTable>;

/** The most clients that are listed. */
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

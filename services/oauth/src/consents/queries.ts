import { namesOf, qualified } from "@latchkey/service-kit/database";
import { equalsLead, type List, selectColumns } from "@latchkey/service-kit/lists";
import { type Kysely, type Selectable, sql } from "kysely";
import { type ClientTable, consentColumns, schema, type Tables } from "../db/tables.ts";

export type ConsentRow = Selectable<Tables["consent"]>;

/** Adds scopes to the consent of a user. Those that the user has granted before stay. */
export const addToConsent = async (
  db: Kysely<Tables>,
  given: { id: string; clientId: string; userId: string; scopes: readonly string[]; now: Date },
): Promise<void> => {
  const { id, clientId, userId, scopes, now } = given;
  await db
    .insertInto("consent")
    .values({ id, clientId, userId, scopes: scopes.join(" "), createdAt: now, updatedAt: now })
    .onConflict((conflict) =>
      conflict.columns(["userId", "clientId"]).doUpdateSet({
        scopes: sql<string>`(
          select string_agg(distinct name, ' ')
          from unnest(string_to_array(consent.scopes || ' ' || excluded.scopes, ' ')) as name
          where name <> '')`,
        updatedAt: now,
      }),
    )
    .execute();
};

/** A consent with the metadata of its client. */
export type ListedConsent = ConsentRow & Pick<Selectable<ClientTable>, "metadata">;

interface ConsentFilter {
  clientId?: string | undefined;
  userId?: string | undefined;
}

/** The users of a client, or the clients of a user, newest first by default. */
export const consentList: List<ListedConsent, ConsentFilter> = {
  schema,
  table: "consent",
  select: sql<ListedConsent>`
    ${selectColumns(qualified("consent", namesOf(consentColumns)))}, client.metadata`,
  join: sql`
    left join ${sql.id(schema, "client")} as client on client.id = consent.client_id`,
  keys: { createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true } },
  order: { by: "createdAt", direction: "desc" },
  where: ({ clientId, userId }) => [
    clientId && equalsLead(sql.ref("clientId"), sql`${clientId}::text`),
    userId && equalsLead(sql.ref("userId"), sql`${userId}::text`),
  ],
};

/** The most consents that are listed at once. */
const listedMax = 1_000;

/** Returns the consents of a user with the metadata of their clients, newest first. */
export const listConsents = (
  db: Kysely<Tables>,
  { userId, id }: { userId: string; id?: string },
): Promise<ListedConsent[]> =>
  db
    .selectFrom("consent")
    .innerJoin("client", "client.id", "consent.clientId")
    .selectAll("consent")
    .select("client.metadata")
    .where("consent.userId", "=", userId)
    .$if(id !== undefined, (query) => query.where("consent.id", "=", id ?? ""))
    .orderBy("consent.createdAt", "desc")
    .limit(listedMax)
    .execute();

/** Locks a consent of a user. */
export const lockConsent = (
  trx: Kysely<Tables>,
  { userId, id }: { userId: string; id: string },
): Promise<ConsentRow | undefined> =>
  trx
    .selectFrom("consent")
    .selectAll()
    .where("id", "=", id)
    .where("userId", "=", userId)
    .forUpdate()
    .executeTakeFirst();

export const updateConsentScopes = async (
  trx: Kysely<Tables>,
  { id, scopes, now }: { id: string; scopes: readonly string[]; now: Date },
): Promise<void> => {
  await trx
    .updateTable("consent")
    .set({ scopes: scopes.join(" "), updatedAt: now })
    .where("id", "=", id)
    .execute();
};

export const deleteConsent = async (trx: Kysely<Tables>, id: string): Promise<void> => {
  await trx.deleteFrom("consent").where("id", "=", id).execute();
};

/** Deletes some consents of a client, or that of one user to it. Returns the users and what they had granted. */
export const deleteConsentsOf = (
  trx: Kysely<Tables>,
  { clientId, userId, limit }: { clientId: string; userId?: string | undefined; limit: number },
): Promise<Pick<ConsentRow, "scopes" | "userId">[]> =>
  trx
    .deleteFrom("consent")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("consent")
        .select("id")
        .where("clientId", "=", clientId)
        .$if(userId !== undefined, (query) => query.where("userId", "=", userId ?? ""))
        .orderBy("id")
        .limit(limit)
        .forUpdate(),
    )
    .returning(["userId", "scopes"])
    .execute();

/** Deletes everything of a user, whose grants take codes and tokens along. */
export const deleteUserRows = async (trx: Kysely<Tables>, userId: string): Promise<void> => {
  for (const table of ["consent", "deviceRequest", "grant", "artifact"] as const)
    await trx.deleteFrom(table).where("userId", "=", userId).execute();
};

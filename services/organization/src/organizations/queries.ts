import type { Wire } from "@latchkey/contracts";
import {
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from "kysely";
import { schema } from "../db/schema.ts";
import type {
  InvitationTable,
  MemberTable,
  OrganizationTable,
  Tables,
  TeamTable,
} from "../db/tables.ts";

export type OrganizationRow = Selectable<OrganizationTable>;

const columns = ["id", "name", "slug", "logo", "metadata", "createdAt"] as const;

export const findOrganizationById = (
  db: Kysely<Tables>,
  id: string,
): Promise<OrganizationRow | undefined> =>
  db.selectFrom("organization").select(columns).where("id", "=", id).executeTakeFirst();

/** Whether an organization has a slug, letter by letter. */
export const isSlugTaken = async (db: Kysely<Tables>, slug: string): Promise<boolean> => {
  const holder = await db
    .selectFrom("organization")
    .select("id")
    .where("slug", "=", slug)
    .executeTakeFirst();
  return holder !== undefined;
};

/** Writes an organization; false where its slug is taken. */
export const insertOrganization = async (
  db: Kysely<Tables>,
  organization: OrganizationRow,
): Promise<boolean> => {
  const inserted = await db
    .insertInto("organization")
    .values(organization)
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Rejects with a unique violation where a new slug is taken. */
export const updateOrganizationRow = (
  db: Kysely<Tables>,
  id: string,
  change: Updateable<OrganizationTable>,
): Promise<OrganizationRow> =>
  db
    .updateTable("organization")
    .set(change)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirstOrThrow();

/** The oldest organizations that a user is a member of, oldest first. */
export const listOrganizationsOf = (
  db: Kysely<Tables>,
  userId: string,
  limit: number,
): Promise<OrganizationRow[]> =>
  db
    .selectFrom("organization")
    .innerJoin("member", "member.organizationId", "organization.id")
    .select(columns.map((column) => `organization.${column}` as const))
    .where("member.userId", "=", userId)
    .orderBy("organization.createdAt")
    .orderBy("organization.id")
    .limit(limit)
    .execute();

/**
 * Locks an organization until the transaction ends, so that what is counted in it stays so; undefined where there is none.
 * Rows that refer to it may be written meanwhile by who does not count.
 */
export const lockOrganizationRow = (
  trx: Transaction<Tables>,
  id: string,
): Promise<OrganizationRow | undefined> =>
  trx
    .selectFrom("organization")
    .select(columns)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** The users who are members of an organization. */
export const listMemberIds = async (
  db: Kysely<Tables>,
  organizationId: string,
): Promise<string[]> => {
  const rows = await db
    .selectFrom("member")
    .select("userId")
    .where("organizationId", "=", organizationId)
    .orderBy("createdAt")
    .execute();
  return rows.map(({ userId }) => userId);
};

/** Deletes an organization and, by their references, all that is in it; false where there was none. */
export const deleteOrganizationRow = async (db: Kysely<Tables>, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("organization")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Which organization is meant. */
export type WhichOrganization = { id: string } | { slug: string };

/** How much of an organization is asked for, and by whom. */
export interface FullView {
  which: WhichOrganization;
  /** Who must be a member of it; anybody where it is not given. */
  userId?: string | undefined;
  membersMax: number;
  /** Of invitations, and of teams. */
  othersMax: number;
}

/** Rows that came as JSON: their times are text. */
type AsJson<Table> = Wire<Selectable<Table>>;

/** An organization with what is in it. */
export type FullRow = OrganizationRow & {
  members: AsJson<MemberTable>[];
  invitations: AsJson<Omit<InvitationTable, "mailedAt">>[];
  teams: AsJson<TeamTable>[];
};

const contents = {
  member: ["id", "organizationId", "userId", "role", "teamId", "createdAt"],
  invitation: [
    "id",
    "organizationId",
    "email",
    "role",
    "teamId",
    "status",
    "expiresAt",
    "inviterId",
    "createdAt",
  ],
  team: ["id", "name", "organizationId", "createdAt", "updatedAt"],
} as const;

/** What is in an organization, oldest first: the first of it, or with `desc` the last. */
const listed = <Row>(
  table: keyof typeof contents,
  limit: number,
  direction: "asc" | "desc" = "asc",
): RawBuilder<Row[]> => {
  const members = contents[table].flatMap((name) => [sql.lit(name), sql.ref(`listed.${name}`)]);
  const from = sql.raw(direction);
  return sql`(
    select coalesce(
      json_agg(json_build_object(${sql.join(members)}) order by listed.created_at, listed.id), '[]'
    )
    from (
      select ${sql.join(contents[table].map((name) => sql.ref(name)))}
      from ${sql.id(schema, table)}
      where organization_id = organization.id
      order by created_at ${from}, id ${from}
      limit ${limit}
    ) as listed)`;
};

/**
 * An organization with the first of its members and teams, and the last of its invitations, all of one moment; undefined
 * where there is none, or the user is not a member, be it one beyond those listed.
 */
export const findFullOrganization = (
  db: Kysely<Tables>,
  { which, userId, membersMax, othersMax }: FullView,
): Promise<FullRow | undefined> =>
  db
    .selectFrom("organization")
    .select(columns)
    .select([
      listed<AsJson<MemberTable>>("member", membersMax).as("members"),
      listed<AsJson<Omit<InvitationTable, "mailedAt">>>("invitation", othersMax, "desc").as(
        "invitations",
      ),
      listed<AsJson<TeamTable>>("team", othersMax).as("teams"),
    ])
    .where((eb) => eb.and(which))
    .$if(userId !== undefined, (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom("member")
            .select("member.id")
            .whereRef("member.organizationId", "=", "organization.id")
            .where("member.userId", "=", userId as string), // as `$if` has just asked
        ),
      ),
    )
    .executeTakeFirst();

import type {
  AdditionalValues,
  OrganizationRow as ShownRow,
  OrganizationSummary,
} from "@latchkey/contracts";
import {
  type Columns,
  compileTogether,
  jsonReader,
  namesOf,
  picker,
  qualified,
  type RowOf,
  type Slots,
  withoutColumns,
} from "@latchkey/service-kit/database";
import { mergeFields } from "@latchkey/service-kit/fields";
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import {
  invitationColumns,
  memberColumns,
  organizationColumns,
  schema,
  type Tables,
  teamColumns,
} from "../db/tables.ts";
import type { Deps } from "../deps.ts";

export type OrganizationRow = RowOf<typeof organizationColumns>;

const selection = namesOf(organizationColumns);

/** The columns of an organization, qualified for joins. */
export const qualifiedOrganization = qualified("organization", selection);

export const findOrganizationById = (
  db: Kysely<Tables>,
  id: string,
): Promise<OrganizationRow | undefined> =>
  db.selectFrom("organization").select(selection).where("id", "=", id).executeTakeFirst();

/** Returns whether an organization has exactly this slug. */
export const isSlugTaken = async (db: Kysely<Tables>, slug: string): Promise<boolean> => {
  const holder = await db
    .selectFrom("organization")
    .select("id")
    .where("slug", "=", slug)
    .executeTakeFirst();
  return holder !== undefined;
};

/** Inserts an organization. Returns false if its slug is taken. */
export const insertOrganization = async (
  db: Kysely<Tables>,
  organization: OrganizationRow,
): Promise<boolean> => {
  const inserted = await db
    .insertInto("organization")
    .values({ ...organization, extra: JSON.stringify(organization.extra) })
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
};

/** The members of an organization that a change sets. Of `extra`, only the named fields change. */
export type OrganizationChange = Partial<
  Pick<OrganizationRow, "extra" | "logo" | "metadata" | "name" | "slug">
>;

/** Rejects with a unique violation if a new slug is taken. */
export const updateOrganizationRow = (
  db: Kysely<Tables>,
  id: string,
  { extra, ...members }: OrganizationChange,
): Promise<OrganizationRow> =>
  db
    .updateTable("organization")
    .set({ ...members, ...(extra && { extra: mergeFields(extra) }) })
    .where("id", "=", id)
    .returning(selection)
    .executeTakeFirstOrThrow();

/** Returns the oldest organizations of a user, oldest first. */
export const listOrganizationsOf = compileTogether(
  { userId: "text" },
  (db: Kysely<Tables>, { userId, limit }: Slots<{ userId: string; limit: number }>) =>
    db
      .selectFrom("organization")
      .innerJoin("member", "member.organizationId", "organization.id")
      .select(qualifiedOrganization)
      .where("member.userId", "=", userId)
      .orderBy("organization.createdAt")
      .orderBy("organization.id")
      .limit(limit),
).rows;

/**
 * Locks an organization until the transaction ends, so that counts in it stay valid. Returns undefined if there is none. Transactions that
 * do not count may still write rows that refer to it.
 */
export const lockOrganization = (
  trx: Transaction<Tables>,
  id: string,
): Promise<OrganizationRow | undefined> =>
  trx
    .selectFrom("organization")
    .select(selection)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Returns the ids of an organization's members. */
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

/** Deletes an organization and, by foreign keys, its contents. Returns false if there was none. */
export const deleteOrganizationRow = async (db: Kysely<Tables>, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("organization")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Identifies an organization. */
export type WhichOrganization = { id: string } | { slug: string };

/** The requested extent of an organization, and the reader. */
interface FullView {
  which: WhichOrganization;
  /** The user who must be a member. Undefined allows any reader. */
  userId?: string | undefined;
  membersMax: number;
  /** The limit on invitations and on teams. */
  othersMax: number;
}

/** An organization with its contents. */
export type FullRow = OrganizationRow & {
  members: RowOf<typeof memberColumns>[];
  invitations: RowOf<typeof invitationColumns>[];
  teams: RowOf<typeof teamColumns>[];
  /** The reader's roles there, or null if the reader is not a member. */
  ownRole: string | null;
  /** When the organization began, or begins, to require a second factor. */
  secondFactorFrom: Date | null;
};

const contents = { member: memberColumns, invitation: invitationColumns, team: teamColumns };
const readMember = jsonReader(memberColumns);
const readInvitation = jsonReader(invitationColumns);
const readTeam = jsonReader(teamColumns);

/** Selects the contents of an organization, oldest first. These are the first ones, or the last with `desc`. */
const listed = (
  table: keyof typeof contents,
  limit: RawBuilder<number>,
  direction: "asc" | "desc" = "asc",
): RawBuilder<object[]> => {
  const names = namesOf<Columns>(contents[table]);
  const members = names.flatMap((name) => [sql.lit(name), sql.ref(`listed.${name}`)]);
  const from = sql.raw(direction);
  return sql`(
    select coalesce(
      json_agg(json_build_object(${sql.join(members)}) order by listed.created_at, listed.id), '[]'
    )
    from (
      select ${sql.join(names.map((name) => sql.ref(name)))}
      from ${sql.id(schema, table)}
      where organization_id = organization.id
      order by created_at ${from}, id ${from}
      limit ${limit}
    ) as listed)`;
};

type FullSlots = Slots<{
  which: string;
  userId: string | null;
  membersMax: number;
  othersMax: number;
}>;

const selectFullBy = (column: "id" | "slug") =>
  compileTogether(
    { which: "text", userId: "text" },
    (db: Kysely<Tables>, { which, userId, membersMax, othersMax }: FullSlots) =>
      db
        .selectFrom("organization")
        .leftJoin("member as own", (join) =>
          join
            .onRef("own.organizationId", "=", "organization.id")
            .on("own.userId", "=", sql<string>`${userId}::text`),
        )
        .select(qualifiedOrganization)
        .select([
          "own.role as ownRole",
          "organization.secondFactorFrom",
          listed("member", membersMax).as("members"),
          listed("invitation", othersMax, "desc").as("invitations"),
          listed("team", othersMax).as("teams"),
        ])
        .where(`organization.${column}`, "=", which)
        .where((eb) =>
          eb.or([eb("own.id", "is not", null), sql<boolean>`${userId}::text is null`]),
        ),
  );

const selectFull = { id: selectFullBy("id"), slug: selectFullBy("slug") };

/**
 * Returns an organization with its first members and teams and its last invitations, from one snapshot. Returns undefined if there is none,
 * or the user is not a member. A member beyond those listed counts.
 */
export const findFullOrganization = async (
  db: Kysely<Tables>,
  { which, userId, ...limits }: FullView,
): Promise<FullRow | undefined> => {
  const values = { userId: userId ?? null, ...limits };
  const organization =
    "id" in which
      ? await selectFull.id.first(db, { which: which.id, ...values })
      : await selectFull.slug.first(db, { which: which.slug, ...values });
  return (
    organization && {
      ...organization,
      members: organization.members.map(readMember),
      invitations: organization.invitations.map(readInvitation),
      teams: organization.teams.map(readTeam),
    }
  );
};

/** Returns the existing organizations among some ids, in no order. */
export const listOrganizationSummaries = (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<OrganizationSummary[]> =>
  db
    .selectFrom("organization")
    .select(["id", "name", "slug"])
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute();

/** Returns when an organization began, or begins, to require a second factor. Null if it does not, or there is none. */
export const findSecondFactorFrom = async (
  db: Kysely<Tables>,
  organizationId: string,
): Promise<Date | null> => {
  const row = await db
    .selectFrom("organization")
    .select("secondFactorFrom")
    .where("id", "=", organizationId)
    .executeTakeFirst();
  return row?.secondFactorFrom ?? null;
};

export const updateSecondFactorFrom = async (
  trx: Transaction<Tables>,
  organizationId: string,
  secondFactorFrom: Date | null,
): Promise<void> => {
  await trx
    .updateTable("organization")
    .set({ secondFactorFrom })
    .where("id", "=", organizationId)
    .execute();
};

const pick = picker<ShownRow>(namesOf(withoutColumns(organizationColumns, "extra")));

/** Returns an organization for lists and full views, with its metadata as a JSON string. */
export const showOrganization = (
  { fields }: Pick<Deps, "fields">,
  row: OrganizationRow,
): ShownRow => fields.organization.addTo(pick(row), row.extra);

/** Returns an organization with every additional field, as functions of the options get it. */
export const wholeOrganization = (row: OrganizationRow): ShownRow & AdditionalValues => ({
  ...row.extra,
  ...pick(row),
});

/** Returns an organization for the replies of create and update, with its metadata as an object, or without it if there is none. */
export const showOrganizationObject = (deps: Pick<Deps, "fields">, row: OrganizationRow) => {
  const { metadata, ...shown } = showOrganization(deps, row);
  if (metadata === null) return shown;
  return { ...shown, metadata: JSON.parse(metadata) as Record<string, unknown> };
};

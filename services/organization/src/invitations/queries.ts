import type { Invitation } from "@latchkey/contracts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { InvitationTable, Tables } from "../db/tables.ts";

export type InvitationRow = Omit<Selectable<InvitationTable>, "mailedAt">;

/** An invitation with the organization that it is to. */
export type OfferedInvitation = InvitationRow & {
  organizationName: string;
  organizationSlug: string;
};

const columns = [
  "id",
  "organizationId",
  "email",
  "role",
  "teamId",
  "status",
  "expiresAt",
  "inviterId",
  "createdAt",
] as const;

const qualified = columns.map((column) => `invitation.${column}` as const);

const shownOrganization = [
  "organization.name as organizationName",
  "organization.slug as organizationSlug",
] as const;

/** Writes an invitation, mailed as it is created. */
export const insertInvitation = async (
  db: Kysely<Tables>,
  invitation: InvitationRow,
): Promise<void> => {
  const row = { ...invitation, mailedAt: invitation.createdAt };
  await db.insertInto("invitation").values(row).execute();
};

export const findInvitationById = (
  db: Kysely<Tables>,
  id: string,
): Promise<InvitationRow | undefined> =>
  db.selectFrom("invitation").select(columns).where("id", "=", id).executeTakeFirst();

/** An invitation that may still be accepted. */
export const findPendingInvitation = (
  db: Kysely<Tables>,
  { id, now }: { id: string; now: Date },
): Promise<InvitationRow | undefined> =>
  db
    .selectFrom("invitation")
    .select(columns)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .where("expiresAt", ">", now)
    .executeTakeFirst();

/** The same with its organization, and whether who sent it is still a member there. */
export const findOfferedInvitation = (
  db: Kysely<Tables>,
  { id, now }: { id: string; now: Date },
): Promise<(OfferedInvitation & { inviterMemberId: string | null }) | undefined> =>
  db
    .selectFrom("invitation")
    .innerJoin("organization", "organization.id", "invitation.organizationId")
    .leftJoin("member", (join) =>
      join
        .onRef("member.organizationId", "=", "invitation.organizationId")
        .onRef("member.userId", "=", "invitation.inviterId"),
    )
    .select(qualified)
    .select(shownOrganization)
    .select("member.id as inviterMemberId")
    .where("invitation.id", "=", id)
    .where("invitation.status", "=", "pending")
    .where("invitation.expiresAt", ">", now)
    .executeTakeFirst();

/** The newest invitations to an address that may still be accepted, oldest first. */
export const listOfferedInvitations = async (
  db: Kysely<Tables>,
  { email, now, limit }: { email: string; now: Date; limit: number },
): Promise<OfferedInvitation[]> => {
  const newestFirst = await db
    .selectFrom("invitation")
    .innerJoin("organization", "organization.id", "invitation.organizationId")
    .select(qualified)
    .select(shownOrganization)
    .where("invitation.email", "=", email)
    .where("invitation.status", "=", "pending")
    .where("invitation.expiresAt", ">", now)
    .orderBy("invitation.createdAt", "desc")
    .orderBy("invitation.id", "desc")
    .limit(limit)
    .execute();
  return newestFirst.toReversed();
};

/** The newest invitations of an organization, oldest first, as a member sees them; undefined for who is not one. */
export const listInvitationsFor = async (
  db: Kysely<Tables>,
  { organizationId, userId, limit }: { organizationId: string; userId: string; limit: number },
): Promise<InvitationRow[] | undefined> => {
  const newestFirst = await db
    .selectFrom("member")
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom("invitation")
          .select(columns)
          .whereRef("invitation.organizationId", "=", "member.organizationId")
          .orderBy("createdAt", "desc")
          .orderBy("id", "desc")
          .limit(limit)
          .as("invitation"),
      (join) => join.onTrue(),
    )
    .select(qualified)
    .where("member.organizationId", "=", organizationId)
    .where("member.userId", "=", userId)
    .orderBy("invitation.createdAt", "desc")
    .orderBy("invitation.id", "desc")
    .execute();
  if (newestFirst.length === 0) return undefined;
  // A member of an organization without invitations is one row of nulls.
  return newestFirst.filter((row): row is InvitationRow => row.id !== null).toReversed();
};

/** Whether an organization has an invitation to an address that may still be accepted. */
export const hasPending = async (
  db: Kysely<Tables>,
  { organizationId, email, now }: { organizationId: string; email: string; now: Date },
): Promise<boolean> => {
  const pending = await db
    .selectFrom("invitation")
    .select("id")
    .where("organizationId", "=", organizationId)
    .where("email", "=", email)
    .where("status", "=", "pending")
    .where("expiresAt", ">", now)
    .limit(1)
    .executeTakeFirst();
  return pending !== undefined;
};

/** Withdraws an organization's invitations to an address that may still be accepted; gives their ids. */
export const cancelPending = async (
  db: Kysely<Tables>,
  { organizationId, email, now }: { organizationId: string; email: string; now: Date },
): Promise<string[]> => {
  const rows = await db
    .updateTable("invitation")
    .set({ status: "canceled" })
    .where("organizationId", "=", organizationId)
    .where("email", "=", email)
    .where("status", "=", "pending")
    .where("expiresAt", ">", now)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
};

/** How many invitations of an organization may still be accepted. */
export const countPending = async (
  db: Kysely<Tables>,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<number> => {
  const { count } = await db
    .selectFrom("invitation")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("organizationId", "=", organizationId)
    .where("status", "=", "pending")
    .where("expiresAt", ">", now)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Ends an invitation that may still be accepted; undefined where it may not, so that of several callers one has it. */
export const decideInvitation = (
  db: Kysely<Tables>,
  { id, status, now }: { id: string; status: Invitation["status"]; now: Date },
): Promise<InvitationRow | undefined> =>
  db
    .updateTable("invitation")
    .set({ status })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .where("expiresAt", ">", now)
    .returning(columns)
    .executeTakeFirst();

/** When the mail of an invitation that may still be accepted was last asked for. */
export const findMailedAt = async (
  db: Kysely<Tables>,
  { id, now }: { id: string; now: Date },
): Promise<Date | undefined> => {
  const pending = await db
    .selectFrom("invitation")
    .select("mailedAt")
    .where("id", "=", id)
    .where("status", "=", "pending")
    .where("expiresAt", ">", now)
    .executeTakeFirst();
  return pending?.mailedAt;
};

/**
 * Has an invitation that may still be accepted last anew, mailed now; undefined where it may not, or was mailed after
 * `mailedBefore`, so that of several callers one has it.
 */
export const prolongInvitation = (
  db: Kysely<Tables>,
  {
    id,
    expiresAt,
    mailedBefore,
    now,
  }: { id: string; expiresAt: Date; mailedBefore: Date; now: Date },
): Promise<InvitationRow | undefined> =>
  db
    .updateTable("invitation")
    .set({ expiresAt, mailedAt: now })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .where("expiresAt", ">", now)
    .where("mailedAt", "<=", mailedBefore)
    .returning(columns)
    .executeTakeFirst();

/** Withdraws an invitation, whatever became of it; undefined where there is none. */
export const cancelInvitationRow = (
  db: Kysely<Tables>,
  id: string,
): Promise<InvitationRow | undefined> =>
  db
    .updateTable("invitation")
    .set({ status: "canceled" })
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirst();

/**
 * Deletes the pending invitations to an organization that a user who has ceased to exist sent, and those to their address
 * from before a moment; gives their ids.
 */
export const deleteInvitationsOf = async (
  db: Kysely<Tables>,
  {
    organizationId,
    userId,
    email,
    before,
  }: { organizationId: string; userId: string; email: string | undefined; before: Date },
): Promise<string[]> => {
  const rows = await db
    .deleteFrom("invitation")
    .where("organizationId", "=", organizationId)
    .where("status", "=", "pending")
    .where((eb) =>
      eb.or([
        eb("inviterId", "=", userId),
        ...(email === undefined
          ? []
          : [eb.and([eb("email", "=", email), eb("createdAt", "<=", before)])]),
      ]),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
};

/** Withdraws the pending invitations to an organization with a role among theirs that a user sent; gives their ids. */
export const cancelSentWithRole = async (
  db: Kysely<Tables>,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: string },
): Promise<string[]> => {
  const rows = await db
    .updateTable("invitation")
    .set({ status: "canceled" })
    .where("organizationId", "=", organizationId)
    .where("inviterId", "=", userId)
    .where("status", "=", "pending")
    .where(sql<boolean>`${role} = any(string_to_array(role, ','))`)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
};

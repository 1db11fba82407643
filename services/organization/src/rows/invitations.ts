import type { Invitation } from "@latchkey/contracts";
import {
  compileTogether,
  namesOf,
  qualified,
  type RowOf,
  type Slots,
} from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { invitationColumns, schema, type Tables } from "../db/tables.ts";
import type { Membership } from "./members.ts";

export type InvitationRow = RowOf<typeof invitationColumns>;

const selection = namesOf(invitationColumns);

/** The columns of an invitation, qualified for joins. */
export const qualifiedColumns = qualified("invitation", selection);

/** Returns the teams that the invited person joins. */
export const teamIdsOf = ({
  teamId,
  moreTeamIds,
}: Pick<InvitationRow, "moreTeamIds" | "teamId">): string[] => [
  ...(teamId === null ? [] : [teamId]),
  ...moreTeamIds,
];

/** Removes a deleted team from invitations to its organization. A foreign key has removed it as the first team. */
export const removeTeamFromInvitations = async (
  db: Kysely<Tables>,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<void> => {
  await sql`
    update ${sql.id(schema, "invitation")} set more_team_ids = more_team_ids - ${id}::text
    where organization_id = ${organizationId} and more_team_ids ? ${id}::text`.execute(db);
};

/** Inserts an invitation. Its mail counts as requested at its creation. */
export const insertInvitation = async (
  db: Kysely<Tables>,
  invitation: InvitationRow,
): Promise<void> => {
  const row = {
    ...invitation,
    extra: JSON.stringify(invitation.extra),
    moreTeamIds: JSON.stringify(invitation.moreTeamIds),
    mailedAt: invitation.createdAt,
  };
  await db.insertInto("invitation").values(row).execute();
};

export const findInvitationById = (
  db: Kysely<Tables>,
  id: string,
): Promise<InvitationRow | undefined> =>
  db.selectFrom("invitation").select(selection).where("id", "=", id).executeTakeFirst();

/** Returns the invitations with some ids, in no order. */
export const listInvitationsByIds = (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<InvitationRow[]> =>
  db.selectFrom("invitation").select(selection).where("id", "in", ids).execute();

const listForMember = compileTogether(
  { organizationId: "text", userId: "text" },
  (db: Kysely<Tables>, { organizationId, userId, limit }: Slots<Membership & { limit: number }>) =>
    db
      .selectFrom("member")
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom("invitation")
            .select(selection)
            .whereRef("invitation.organizationId", "=", "member.organizationId")
            .orderBy("createdAt", "desc")
            .orderBy("id", "desc")
            .limit(limit)
            .as("invitation"),
        (join) => join.onTrue(),
      )
      .select(qualifiedColumns)
      .innerJoin("organization", "organization.id", "member.organizationId")
      .select(["member.role as ownRole", "organization.secondFactorFrom"])
      .where("member.organizationId", "=", organizationId)
      .where("member.userId", "=", userId)
      .orderBy("invitation.createdAt", "desc")
      .orderBy("invitation.id", "desc"),
);

/** Invitations for a member of their organization. */
interface ForMember {
  /** The member's roles. */
  role: string;
  /** When the organization began, or begins, to require a second factor. */
  secondFactorFrom: Date | null;
  invitations: InvitationRow[];
}

/**
 * Returns the newest invitations of an organization, oldest first, and a member's roles there. Returns undefined if the user is not a
 * member.
 */
export const listInvitationsFor = async (
  db: Kysely<Tables>,
  asked: Membership & { limit: number },
): Promise<ForMember | undefined> => {
  const newestFirst = await listForMember.rows(db, asked);
  const [newest] = newestFirst;
  if (!newest) return undefined;
  // An organization without invitations gives one row of nulls.
  const rows = newestFirst.filter((row): row is typeof newest & InvitationRow => row.id !== null);
  const { ownRole: role, secondFactorFrom } = newest;
  return { role, secondFactorFrom, invitations: rows.toReversed() };
};

/** Returns whether an organization has an invitation to an address that may still be accepted. */
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

/** Cancels an organization's acceptable invitations to an address. Returns their ids. */
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

/** Counts the invitations of an organization that may still be accepted. */
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

/**
 * Decides an invitation that may still be accepted. Returns undefined if it may not, so that only one of several concurrent callers
 * succeeds.
 */
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
    .returning(selection)
    .executeTakeFirst();

/** Returns when the mail of an acceptable invitation was last requested. */
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
 * Restarts the lifetime of an acceptable invitation and sets its mail time to now. Returns undefined if it may not be accepted, or was
 * mailed after `mailedBefore`, so that only one of several concurrent callers succeeds.
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
    .returning(selection)
    .executeTakeFirst();

/** Cancels an invitation, whatever its status. Returns undefined if there is none. */
export const cancelInvitationRow = (
  db: Kysely<Tables>,
  id: string,
): Promise<InvitationRow | undefined> =>
  db
    .updateTable("invitation")
    .set({ status: "canceled" })
    .where("id", "=", id)
    .returning(selection)
    .executeTakeFirst();

/**
 * Deletes the pending invitations to an organization by a deleted user, and those to their address from before a moment. Returns their ids.
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

/** Returns the pending invitations to an organization that a user sent. */
export const listPendingOfInviter = (
  db: Kysely<Tables>,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<{ id: string; role: string }[]> =>
  db
    .selectFrom("invitation")
    .select(["id", "role"])
    .where("organizationId", "=", organizationId)
    .where("inviterId", "=", userId)
    .where("status", "=", "pending")
    .orderBy("createdAt")
    .execute();

/** Cancels those of some invitations that are pending. Returns their ids. */
export const cancelPendingByIds = async (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<string[]> => {
  const rows = await db
    .updateTable("invitation")
    .set({ status: "canceled" })
    .where("id", "in", ids)
    .where("status", "=", "pending")
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
};

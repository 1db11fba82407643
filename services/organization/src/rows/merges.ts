import { sql, type Transaction } from "kysely";
import { schema, type Tables } from "../db/tables.ts";
import { type MemberRow, memberSelection } from "./members.ts";

/** A change of a membership of a merged user: it was handed over, or it ended and its roles were added to that of the other user. */
export type MovedMembership =
  | {
      readonly kind: "handed";
      readonly organizationId: string;
      readonly memberId: string;
      /** The pending invitations that were handed over with it. */
      readonly invitationIds: readonly string[];
    }
  | {
      readonly kind: "joined";
      readonly organizationId: string;
      /** The membership that stayed, with its roles since then and before. */
      readonly memberId: string;
      readonly role: string;
      readonly formerRole: string;
      /** The teams of the membership that ended, and those of them that the other one joined by the merge. Absent in earlier records. */
      readonly endedTeamIds?: readonly string[];
      readonly joinedTeamIds?: readonly string[];
      /** Its times are texts, because it is stored as JSON. */
      readonly ended: Omit<MemberRow, "createdAt"> & { readonly createdAt: Date | string };
    };

/** Returns all memberships of a user, in the order in which their organizations are locked. */
export const listMemberships = (trx: Transaction<Tables>, userId: string): Promise<MemberRow[]> =>
  trx
    .selectFrom("member")
    .select(memberSelection)
    .where("userId", "=", userId)
    .orderBy("organizationId")
    .execute();

/** Gives a membership to another user. The column is written once by everything else. */
export const moveMember = async (
  trx: Transaction<Tables>,
  { id, to }: { id: string; to: string },
): Promise<void> => {
  await sql`update ${sql.id(schema, "member")} set user_id = ${to} where id = ${id}`.execute(trx);
};

interface InvitationMove {
  readonly organizationId: string;
  readonly from: string;
  readonly to: string;
  readonly ids?: readonly string[];
}

/**
 * Gives pending invitations to an organization to another inviter, all or only some. An invitation is void if its inviter is no member.
 * Returns the ids of the moved ones.
 */
export const moveInvitations = async (
  trx: Transaction<Tables>,
  { organizationId, from, to, ids }: InvitationMove,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    update ${sql.id(schema, "invitation")} set inviter_id = ${to}
    where organization_id = ${organizationId} and inviter_id = ${from} and status = 'pending'
      ${ids ? sql`and id = any(${[...ids]}::text[])` : sql``}
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
};

import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { isBarred } from "../rows/members.ts";
import { type InvitationRow, qualifiedColumns } from "../rows/invitations.ts";

/** The organization of an invitation, and the inviter's roles there. */
export interface Offer {
  organizationName: string;
  organizationSlug: string;
  /** Null if the inviter is not a member. */
  inviterRole: string | null;
}

/** The recipient of the invitations. */
export interface Recipient {
  /** In lower case. */
  email: string;
  openedBy?: string | undefined;
}

const shownOrganization = [
  "organization.name as organizationName",
  "organization.slug as organizationSlug",
] as const;

/** Returns the organization of an invitation and the inviter's roles there. */
export const findOffer = (
  db: Kysely<Tables>,
  { organizationId, inviterId }: Pick<InvitationRow, "inviterId" | "organizationId">,
  now: Date,
): Promise<(Offer & { isInviterBarred: boolean }) | undefined> =>
  db
    .selectFrom("organization")
    .leftJoin("member", (join) =>
      join
        .onRef("member.organizationId", "=", "organization.id")
        .on("member.userId", "=", inviterId),
    )
    .select([...shownOrganization, "member.role as inviterRole"])
    .select((eb) => isBarred(eb.val(inviterId), now).as("isInviterBarred"))
    .where("organization.id", "=", organizationId)
    .executeTakeFirst();

/** Records which user opened an invitation by its mailed id. */
export const updateOpenedBy = async (
  db: Kysely<Tables>,
  { id, userId }: { id: string; userId: string },
): Promise<void> => {
  await db
    .updateTable("invitation")
    .set({ openedBy: userId })
    .where("id", "=", id)
    .where("openedBy", "is distinct from", userId)
    .execute();
};

/**
 * Returns the newest acceptable invitations to an address, oldest first, with the roles of their inviters. With `openedBy`, only those that
 * this user opened.
 */
export const listOfferedInvitations = async (
  db: Kysely<Tables>,
  { email, openedBy, now, limit }: Recipient & { now: Date; limit: number },
): Promise<(InvitationRow & Offer & { inviterRole: string })[]> => {
  const newestFirst = await db
    .selectFrom("invitation")
    .innerJoin("organization", "organization.id", "invitation.organizationId")
    .innerJoin("member", (join) =>
      join
        .onRef("member.organizationId", "=", "invitation.organizationId")
        .onRef("member.userId", "=", "invitation.inviterId"),
    )
    .select(qualifiedColumns)
    .select([...shownOrganization, "member.role as inviterRole"])
    .where("invitation.email", "=", email)
    .where("invitation.status", "=", "pending")
    .where("invitation.expiresAt", ">", now)
    .where((eb) => eb.not(isBarred(eb.ref("invitation.inviterId"), now)))
    .$if(openedBy !== undefined, (query) => query.where("openedBy", "=", openedBy ?? null))
    .orderBy("invitation.createdAt", "desc")
    .orderBy("invitation.id", "desc")
    .limit(limit)
    .execute();
  return newestFirst.toReversed();
};

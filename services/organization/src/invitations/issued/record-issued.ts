import { WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { OrganizationConfig } from "../../config.ts";
import type { Tables } from "../../db/tables.ts";
import { countIssued, insertIssued } from "./queries.ts";

/** How long an invitation counts against the limit. */
export const countedMilliseconds = 3_600_000;

/** A mail of an invitation, and the member who had it sent. */
export interface IssuedMail {
  /** Unique for each mail. */
  id: string;
  inviterId: string;
  email: string;
  issuedAt: Date;
}

/**
 * Records that a user invites an address, in a transaction that has locked the inviter's memberships. The count spans all
 * organizations and outlives them, so nobody floods a mailbox by creating and deleting some. Throws `INVITATION_LIMIT_REACHED`.
 */
export const recordIssued = async (
  { organization }: Pick<OrganizationConfig, "organization">,
  trx: Transaction<Tables>,
  { id: invitationId, inviterId, email, issuedAt }: IssuedMail,
): Promise<void> => {
  const after = new Date(issuedAt.getTime() - countedMilliseconds);
  const count = await countIssued(trx, { inviterId, email, after });
  if (count >= organization.invitationsPerAddressAndHour)
    throw new WireError("INVITATION_LIMIT_REACHED");
  await insertIssued(trx, { invitationId, inviterId, email, issuedAt });
};

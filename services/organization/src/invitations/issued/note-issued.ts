import { WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { Tables } from "../../db/tables.ts";
import type { InvitationRow } from "../queries.ts";
import { countIssued, insertIssued } from "./queries.ts";

/** What one person sends to one address counts for so long. */
export const countedMilliseconds = 3_600_000;
const toOneAddressMax = 5;

/**
 * Notes that somebody invites an address, in a transaction that has locked the memberships of the inviter. However many
 * organizations somebody founds and deletes, they have a stranger mailed no more often. Throws `INVITATION_LIMIT_REACHED`.
 */
export const noteIssued = async (
  trx: Transaction<Tables>,
  { id: invitationId, inviterId, email, createdAt: issuedAt }: InvitationRow,
): Promise<void> => {
  const after = new Date(issuedAt.getTime() - countedMilliseconds);
  if ((await countIssued(trx, { inviterId, email, after })) >= toOneAddressMax)
    throw new WireError("INVITATION_LIMIT_REACHED");
  await insertIssued(trx, { invitationId, inviterId, email, issuedAt });
};

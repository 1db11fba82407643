import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type Inviter, mailInvitation, type MailInvitationNeeds } from "./mail-invitation.ts";
import { findMailedAt, type InvitationRow, prolongInvitation } from "./queries.ts";

/** Between two mails of one invitation. */
const pauseMilliseconds = 60_000;

/** The invitation, lasting anew from now on. */
const prolong = async (
  { clock, config }: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  id: string,
): Promise<InvitationRow> => {
  const time = clock();
  const now = new Date(time);
  const invitation = await prolongInvitation(trx, {
    id,
    expiresAt: new Date(time + config.organization.invitationExpiresIn * 1000),
    mailedBefore: new Date(time - pauseMilliseconds),
    now,
  });
  if (invitation) return invitation;
  const mailedAt = await findMailedAt(trx, { id, now });
  if (!mailedAt) throw new WireError("INVITATION_NOT_FOUND");
  const waitMilliseconds = mailedAt.getTime() + pauseMilliseconds - time;
  throw new WireError("TOO_MANY_REQUESTS", {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMilliseconds / 1000)),
  });
};

/**
 * Has a pending invitation mailed once more, which then lasts anew, in a transaction that has locked its organization. Throws
 * `INVITATION_NOT_FOUND` where it is not pending, and `TOO_MANY_REQUESTS` where its mail was asked for a moment ago.
 */
export const mailAgain = async (
  deps: MailInvitationNeeds,
  trx: Transaction<Tables>,
  {
    id,
    organization,
    inviter,
    actor,
    caller,
  }: {
    id: string;
    organization: { id: string; name: string };
    inviter: Inviter;
  } & Required<Pick<AuditEntry, "actor" | "caller">>,
): Promise<InvitationRow> => {
  const invitation = await prolong(deps, trx, id);
  await mailInvitation(deps, trx, {
    invitation,
    organizationName: organization.name,
    inviter,
    caller,
  });
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organization.id },
    action: "invitation.resent",
    caller,
    after: { id, expiresAt: invitation.expiresAt },
  });
  return invitation;
};

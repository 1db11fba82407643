import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { isVoid } from "./check-inviter.ts";
import { type Inviter, mailInvitation, type MailInvitationNeeds } from "./mail-invitation.ts";
import { findMailedAt, type InvitationRow, prolongInvitation } from "./queries.ts";

/** The minimum pause between two mails of one invitation. */
const pauseMilliseconds = 60_000;

/** Restarts the lifetime of an invitation. */
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
 * Mails a pending invitation again and restarts its lifetime, in a transaction that has locked its organization. Throws
 * `INVITATION_NOT_FOUND` if it is not pending or its inviter may no longer invite to its roles. Throws `TOO_MANY_REQUESTS` if its mail was
 * requested within the last minute.
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
  if (await isVoid(deps, trx, invitation)) throw new WireError("INVITATION_NOT_FOUND");
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

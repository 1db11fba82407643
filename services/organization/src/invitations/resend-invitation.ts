import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findMember } from "../members/find-member.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { checkInviter } from "./check-inviter.ts";
import { mailInvitation, type MailInvitationNeeds } from "./mail-invitation.ts";
import {
  findMailedAt,
  findPendingInvitation,
  type InvitationRow,
  prolongInvitation,
} from "./queries.ts";
import { showInvitation } from "./show-invitation.ts";

type ResendInvitation = typeof operations.organization.resendInvitation;
type Needs = MailInvitationNeeds & Pick<Deps, "db" | "wakeRelay">;

/** Between two mails of one invitation. */
const pauseMilliseconds = 60_000;

/** The invitation, lasting anew from now on. */
const mailAgain = async (
  { clock, config }: Needs,
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

const prolong = (
  deps: Needs,
  { session, caller }: Call<ResendInvitation>,
  { id, organizationId, role }: InvitationRow,
): Promise<InvitationRow> =>
  deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, organizationId);
    if (!organization) throw new WireError("INVITATION_NOT_FOUND");
    const { userId } = session.session;
    checkInviter(deps.config, await findMember({ db: trx }, { organizationId, userId }), role);
    const invitation = await mailAgain(deps, trx, id);
    await mailInvitation(deps, trx, {
      invitation,
      organizationName: organization.name,
      session,
      caller,
    });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "organization", id: organizationId },
      action: "invitation.resent",
      caller,
      after: { id, expiresAt: invitation.expiresAt },
    });
    return invitation;
  });

/**
 * Mails a pending invitation again, which lasts anew. Throws `INVITATION_NOT_FOUND`, also to who is not a member of its
 * organization, what inviting throws to who may not invite somebody to its roles, and `TOO_MANY_REQUESTS` where its mail was
 * asked for a moment ago.
 */
export const resendInvitation = async (
  deps: Needs,
  call: Call<ResendInvitation>,
): Promise<Answer<OperationReply<ResendInvitation>>> => {
  const now = new Date(deps.clock());
  const found = await findPendingInvitation(deps.db, { id: call.body.invitationId, now });
  if (!found) throw new WireError("INVITATION_NOT_FOUND");
  const { organizationId } = found;
  const { userId } = call.session.session;
  if (!(await findMember(deps, { organizationId, userId })))
    throw new WireError("INVITATION_NOT_FOUND");
  const invitation = await prolong(deps, call, found);
  deps.wakeRelay();
  return { reply: showInvitation(deps.config, invitation) };
};

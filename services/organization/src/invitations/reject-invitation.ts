import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findGivenPending } from "./find-given-invitation.ts";
import { decideInvitation } from "./queries.ts";
import { checkRecipient } from "./recipient-rules.ts";
import { showMailedInvitation } from "./show-invitation.ts";

type RejectInvitation = typeof operations.organization.rejectInvitation;
type Needs = Pick<Deps, "clock" | "config" | "db" | "ring">;

/**
 * Declines an invitation of the caller. Throws `OFFERED_INVITATION_NOT_FOUND`, `YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION` and
 * `EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION`.
 */
export const rejectInvitation = async (
  deps: Needs,
  { body, session, caller }: Call<RejectInvitation>,
): Promise<Answer<OperationReply<RejectInvitation>>> => {
  const found = await findGivenPending(deps, body.invitationId);
  if (!found) throw new WireError("OFFERED_INVITATION_NOT_FOUND");
  checkRecipient(deps.config, session.user, found);
  const pending = { id: found.invitation.id, now: new Date(deps.clock()) };
  const invitation = await deps.db.transaction().execute(async (trx) => {
    const rejected = await decideInvitation(trx, { ...pending, status: "rejected" });
    if (!rejected) throw new WireError("OFFERED_INVITATION_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "organization", id: rejected.organizationId },
      action: "invitation.rejected",
      caller,
      after: { id: rejected.id },
    });
    return rejected;
  });
  return { reply: { invitation: showMailedInvitation(deps, invitation), member: null } };
};

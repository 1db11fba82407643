import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken, seal } from "@latchkey/crypto";
import {
  sessionActor,
  type Answer,
  appendAudit,
  type AuditEntry,
  type Call,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { consumeVerification, findAddressee } from "./queries.ts";
import { requestVerification } from "./request-verification.ts";

type SendVerificationEmail = typeof operations.identity.sendVerificationEmail;
type Needs = ResolveSessionNeeds & Pick<Deps, "db" | "newEventId" | "ring" | "wakeRelay">;

/**
 * Mails a verification link. Somebody signed in may ask for their own unverified address only; to somebody who is not,
 * the answer is the same whether the address is unknown, verified or mailed, so that it tells nothing.
 */
export const sendVerificationEmail = async (
  deps: Needs,
  { caller, body }: Call<SendVerificationEmail>,
): Promise<Answer<OperationReply<SendVerificationEmail>>> => {
  if (!deps.config.emailVerification.enabled)
    throw new WireError("VERIFICATION_EMAIL_ISNT_ENABLED");
  const email = body.email.toLowerCase();
  const signedIn = await resolveSession(deps, caller, { disableRefresh: true });
  if (signedIn?.user.emailVerified)
    throw new WireError("YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL");
  if (signedIn && signedIn.user.email !== email)
    throw new WireError("YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_YOUR_OWN_EMAIL");
  const user = await findAddressee(deps.db, email);
  const actor: AuditEntry["actor"] = signedIn ? sessionActor(signedIn) : { kind: "anonymous" };
  const { callbackURL } = body;
  // An address that gets no mail costs a token, its sealing and as many statements, so that time tells nothing either.
  const addressee = { id: user?.id ?? "", name: user?.name ?? "", email };
  const publish = await requestVerification(deps, { user: addressee, callbackURL, caller, actor });
  const isDue = user !== undefined && !user.emailVerified;
  await deps.db.transaction().execute(async (trx) => {
    if (isDue) return publish(trx);
    const id = hashToken(email).toString("hex");
    seal(deps.ring, "event", JSON.stringify(addressee));
    await consumeVerification(trx, { identifier: id, now: new Date(deps.clock()) });
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "address", id },
      action: "verification.refused",
      outcome: "refused",
      caller,
    });
  });
  deps.wakeRelay();
  return { reply: { status: true } };
};

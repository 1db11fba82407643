import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  sessionActor,
  type Answer,
  appendAudit,
  type AuditEntry,
  type Call,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { rememberBrowser } from "../one-time-tokens/link-browser.ts";
import { findAddressee } from "./queries.ts";
import { requestVerification, type RequestVerificationNeeds } from "./request-verification.ts";
import { addressSubject } from "./address-subject.ts";

type SendVerificationEmail = typeof operations.identity.sendVerificationEmail;
type Needs = ResolveSessionNeeds & RequestVerificationNeeds & Pick<Deps, "wakeRelay">;

/**
 * Mails a verification link. A signed-in user may request it only for their own unverified address, and gets 429 over the
 * limit of the mailbox. An anonymous caller gets the same reply whether the address is unknown, verified, mailed or over
 * the limit.
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
  const isDue = user !== undefined && !user.emailVerified;
  // An address without a mail costs the same token, sealing and statements, so that the time reveals nothing.
  const addressee = { id: isDue ? user.id : "", name: user?.name ?? "", email };
  const asker = signedIn ? undefined : rememberBrowser(deps, caller);
  const { browser } = asker ?? {};
  const beyond = signedIn ? "refuse" : "drop";
  const request = { user: addressee, callbackURL, caller, actor, beyond, browser } as const;
  const { publish, imitate } = await requestVerification(deps, request);
  await deps.db.transaction().execute(async (trx) => {
    if (isDue && (await publish(trx))) return;
    if (!isDue) await imitate(trx);
    await appendAudit(trx, deps, {
      actor,
      subject: user ? { kind: "user", id: user.id } : addressSubject(deps.ring, email),
      action: "verification.refused",
      outcome: "refused",
      caller,
    });
  });
  deps.wakeRelay();
  return { reply: { status: true }, effect: asker?.effect };
};

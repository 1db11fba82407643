import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-user.ts";
import { requestVerification } from "./request-verification.ts";

type SendVerificationEmail = typeof operations.identity.sendVerificationEmail;
type Needs = Pick<
  Deps,
  "clock" | "config" | "db" | "newEventId" | "ring" | "sessions" | "wakeRelay"
>;

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
  const user = await findUser(deps, { email });
  if (user && !user.emailVerified) {
    const publish = await requestVerification(deps, {
      user,
      callbackURL: body.callbackURL,
      caller,
    });
    await deps.db.transaction().execute(publish);
    deps.wakeRelay();
  }
  return { reply: { status: true } };
};

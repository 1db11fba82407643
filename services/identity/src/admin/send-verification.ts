import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, applicationUrl, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  requestVerification,
  type RequestVerificationNeeds,
} from "../email-verification/request-verification.ts";
import { findUser } from "../users/find-user.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { adminActor } from "./admin-actor.ts";
import { checkReach, recheckReach } from "./reach.ts";

const { permission } = operations.identity.adminSendVerification;
type AdminSendVerification = typeof operations.identity.adminSendVerification;

/** Mails a user the verification link that they could also request themselves. */
export const sendVerification = async (
  deps: RequestVerificationNeeds & Pick<Deps, "db" | "wakeRelay">,
  call: Call<AdminSendVerification>,
): Promise<Answer<OperationReply<AdminSendVerification>>> => {
  const { params, caller } = call;
  if (!deps.config.emailVerification.enabled)
    throw new WireError("VERIFICATION_EMAIL_ISNT_ENABLED");
  const user = await findUser(deps, params);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission, target: user };
  checkReach(deps, call, act);
  if (isPlaceholderEmail(user.email)) throw new WireError("INVALID_EMAIL");
  if (user.emailVerified)
    throw new WireError("YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL");
  const { publish } = await requestVerification(deps, {
    user,
    callbackURL: applicationUrl(deps.config.appURL, caller),
    caller,
    actor: adminActor(call),
    beyond: "refuse",
    countsFor: "admins",
  });
  const recheck = recheckReach(deps, call, act);
  await deps.db.transaction().execute(async (trx) => {
    await recheck(trx);
    await publish(trx);
  });
  deps.wakeRelay();
  return { reply: { status: true } };
};

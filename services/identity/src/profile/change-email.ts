import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  sessionActor,
  type Answer,
  appendAudit,
  appendEvent,
  type Call,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { reissueChanged } from "../sessions/reissue-changed.ts";
import { proposeVerificationLink } from "../email-verification/verification-link.ts";
import { findUser } from "../users/find-user.ts";
import { readEmail } from "../users/read-email.ts";
import { takeEmail, type TakeEmailNeeds } from "../users/take-email.ts";
import type { UserRow } from "../users/user-row.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

type ChangeEmail = typeof operations.identity.changeEmail;
type Needs = TakeEmailNeeds & Pick<Deps, "showUser">;

interface Wanted {
  user: UserRow;
  /** The new address. */
  email: string;
}

/** An unverified address is replaced without a confirmation by mail to it. */
const changeAtOnce = async (
  deps: Needs,
  { body, caller, session: current }: Call<ChangeEmail>,
  wanted: Wanted,
): Promise<Answer<OperationReply<ChangeEmail>>> => {
  const { callbackURL } = body;
  const { session } = current;
  const changed = await takeEmail(deps, { ...wanted, callbackURL, caller, session });
  if (!changed) throw new WireError("COULDNT_UPDATE_YOUR_EMAIL");
  const effect = await reissueChanged(deps, current, changed);
  return { reply: { status: true }, effect };
};

/** Mails the confirmation link to the current, verified address. */
const askOldAddress = async (
  deps: Needs,
  { body, caller, session: current }: Call<ChangeEmail>,
  { user, email: newEmail }: Wanted,
): Promise<Answer<OperationReply<ChangeEmail>>> => {
  const { callbackURL } = body;
  const { id: userId, email, name } = user;
  const link = { userId, email, updateTo: newEmail, callbackURL, caller };
  const { url, expiresAt, keep } = await proposeVerificationLink(deps, link);
  await deps.db.transaction().execute(async (trx) => {
    await deps.limits.countLinkMail(trx, { email, countsFor: "users", beyond: "refuse" });
    await keep(trx);
    const language = await mailLocaleOf(trx, { userId, caller });
    const data = { userId, email, name, url, expiresAt, newEmail, ...language };
    await appendEvent(trx, deps, { name: "email-change.requested", data });
    await appendAudit(trx, deps, {
      actor: sessionActor(current),
      subject: { kind: "user", id: userId },
      action: "email-change.requested",
      caller,
    });
  });
  deps.wakeRelay();
  return { reply: { status: true } };
};

/** Changes the caller's address: at once while it is unverified, else after a confirmation by the old address. */
export const changeEmail = async (
  deps: Needs,
  call: Call<ChangeEmail>,
): Promise<Answer<OperationReply<ChangeEmail>>> => {
  const options = deps.config.user.changeEmail;
  if (!options.enabled) throw new WireError("CHANGE_EMAIL_IS_DISABLED");
  const user = await findUser(deps, { id: call.session.user.id });
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  const email = readEmail(call.body.newEmail);
  if (email === user.email) throw new WireError("EMAIL_IS_THE_SAME");
  if (await findUser(deps, { email })) throw new WireError("COULDNT_UPDATE_YOUR_EMAIL");
  if (!user.emailVerified) return changeAtOnce(deps, call, { user, email });
  if (!options.confirmByMail) throw new WireError("VERIFICATION_EMAIL_ISNT_ENABLED");
  return askOldAddress(deps, call, { user, email });
};

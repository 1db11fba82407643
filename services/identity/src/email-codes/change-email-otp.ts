import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { reissueChanged } from "../sessions/reissue-changed.ts";
import { findUser } from "../users/find-user.ts";
import { isAddressProven } from "../users/queries.ts";
import { readEmail } from "../users/read-email.ts";
import { takeEmail, type TakeEmailNeeds } from "../users/take-email.ts";
import type { UserRow } from "../users/user-row.ts";
import { rememberCodeBrowser } from "./code-browser.ts";
import type { CodeSubject } from "./code-subject.ts";
import { examineCode, type ExamineCodeNeeds, type RightCode } from "./examine-code.ts";
import { mailCode, type MailCodeNeeds } from "./mail-code.ts";

type RequestEmailChange = typeof operations.identity.requestEmailChangeOtp;
type ChangeEmail = typeof operations.identity.changeEmailOtp;
type Needs = ExamineCodeNeeds & MailCodeNeeds & TakeEmailNeeds & Pick<Deps, "showUser">;

/** Returns the caller and the wanted address. */
const readWanted = async (
  deps: Needs,
  { body, session }: Call<RequestEmailChange> | Call<ChangeEmail>,
): Promise<{ user: UserRow; newEmail: string }> => {
  if (!deps.config.emailOTP.changeEmail.enabled)
    throw new WireError("CHANGE_EMAIL_WITH_OTP_IS_DISABLED");
  const newEmail = readEmail(body.newEmail);
  const user = await findUser(deps, { id: session.user.id });
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  if (newEmail === user.email) throw new WireError("EMAIL_IS_THE_SAME");
  return { user, newEmail };
};

const changeOf = ({ id }: UserRow, newEmail: string): CodeSubject => ({
  purpose: "change-email",
  name: id,
  newEmail,
});

/** Checks the code of the current address, if the address is proven and the options require that. */
const examineCurrent = async (
  deps: Needs,
  { body: { otp }, caller }: Call<RequestEmailChange>,
  user: UserRow,
): Promise<RightCode | undefined> => {
  const { verifyCurrentEmail } = deps.config.emailOTP.changeEmail;
  if (!verifyCurrentEmail || !(await isAddressProven(deps.db, user))) return undefined;
  if (otp === undefined) throw new WireError("OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL");
  const subject = { purpose: "email-verification", name: user.email } as const;
  return examineCode(deps, { subject, otp, caller });
};

/**
 * Mails a code to the new address. A taken address is answered alike and mailed nothing. The caller's own count decides on the refusal, and
 * not that of the mailbox, which differs between free and taken addresses. Beyond the mailbox's limit the mail is dropped.
 */
export const requestEmailChangeOtp = async (
  deps: Needs,
  call: Call<RequestEmailChange>,
): Promise<Answer<OperationReply<RequestEmailChange>>> => {
  const { caller, session } = call;
  const { user, newEmail } = await readWanted(deps, call);
  const right = await examineCurrent(deps, call, user);
  const taker = await findUser(deps, { email: newEmail });
  const { browser, effect } = rememberCodeBrowser(deps, caller);
  await deps.db.transaction().execute(async (trx) => {
    await right?.spend(trx);
    await deps.limits.countAddressCode(trx, user.id);
    await mailCode(deps, trx, {
      email: newEmail,
      userId: user.id,
      userName: user.name,
      subject: changeOf(user, newEmail),
      browser,
      isDue: taker === undefined,
      actor: sessionActor(session),
      caller,
    });
  });
  deps.wakeRelay();
  return { reply: { success: true }, effect };
};

/** Changes the caller's address, which the code has proven. The old address gets a link that undoes the change. */
export const changeEmailOtp = async (
  deps: Needs,
  call: Call<ChangeEmail>,
): Promise<Answer<OperationReply<ChangeEmail>>> => {
  const { body, caller, session: current } = call;
  const { user, newEmail } = await readWanted(deps, call);
  const subject = changeOf(user, newEmail);
  const { spend } = await examineCode(deps, { subject, otp: body.otp, caller });
  if (await findUser(deps, { email: newEmail })) throw new WireError("EMAIL_ALREADY_IN_USE");
  const changed = await takeEmail(deps, {
    user,
    email: newEmail,
    isProven: true,
    callbackURL: undefined,
    caller,
    session: current.session,
    within: spend,
  });
  if (!changed) throw new WireError("EMAIL_ALREADY_IN_USE");
  const effect = await reissueChanged(deps, current, changed);
  return { reply: { success: true }, effect };
};

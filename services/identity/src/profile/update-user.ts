import { type Caller, WireError } from "@latchkey/contracts";
import { sessionActor, appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Deps, Handler, CallOf, AnswerOf } from "../deps.ts";
import { resolveCaller, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { findUserByUsername, type UserMembers, isAddressProven } from "../users/queries.ts";
import { checkUsername, normaliseUsername, usernameMembers } from "../users/username-rules.ts";
import { reissueChanged } from "../sessions/session-rules.ts";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { countWaysIn } from "../accounts/own-accounts.ts";
import { settleNumberChange } from "../phone-numbers/change-number.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { takenError } from "../accounts/register-user.ts";
import { proposeVerificationLink } from "../email-verification/request-verification.ts";
import { findUser } from "../users/find-users.ts";
import { readEmail, mailLocaleOf } from "../users/email.ts";
import { takeEmail, type TakeEmailNeeds } from "./take-email.ts";
import type { UserRow } from "../users/user-row.ts";
import { rememberCodeBrowser } from "../email-codes/mailed-code.ts";
import { examineCode, type ExamineCodeNeeds, type RightCode } from "../email-codes/examine-code.ts";
import { mailCode, type MailCodeNeeds } from "../email-codes/mail-code.ts";

/**
 * Rejects a username that breaks a rule or belongs to another user. Runs before other checks, so that a form shows this
 * error first. Writing the row enforces uniqueness.
 */
export const checkUsernameFirst = async (
  deps: ResolveSessionNeeds & Pick<Deps, "db">,
  caller: Caller,
  { username }: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const options = deps.config.username;
  if (!options.enabled || typeof username !== "string") return;
  const wanted = normaliseUsername(options, username);
  await checkUsername(options, wanted);
  const holder = await findUserByUsername(deps.db, wanted);
  if (!holder) return;
  const own = await resolveCaller(deps, caller, { disableRefresh: true });
  if (own?.user.id !== holder.id)
    throw new WireError("USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER");
};

type Needs = ChangeUserNeeds & Pick<Deps, "fields" | "showUser">;

const readChange = async (
  deps: Needs,
  { body }: Pick<CallOf<"updateUser">, "body">,
): Promise<UserMembers> => {
  const { name, image } = body;
  const extra = await deps.fields.user.read({ values: body, mode: "update" });
  return {
    ...(name === undefined ? {} : { name }),
    ...(image === undefined ? {} : { image }),
    ...usernameMembers(deps.config.username, body),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
};

/** Returns whether a request removes the caller's number. Only a code sets one. */
const isNumberRemoved = async (
  deps: Needs,
  { body: { phoneNumber }, session }: Pick<CallOf<"updateUser">, "body" | "session">,
): Promise<boolean> => {
  if (!deps.config.phoneNumber.enabled || phoneNumber === undefined) return false;
  if (phoneNumber !== null) throw new WireError("PHONE_NUMBER_CANNOT_BE_UPDATED");
  const user = await findUser(deps, { id: session.user.id });
  return user?.phoneNumber != null;
};

/** Refuses the removal of a number that is the last way in, in the transaction of the removal. */
const settleNumberRemoval = async (
  deps: Needs,
  trx: Transaction<Tables>,
  { user, caller }: { user: UserRow; caller: Caller },
): Promise<void> => {
  const { allowUnlinkingAll } = deps.config.account.accountLinking;
  if (!allowUnlinkingAll && (await countWaysIn(deps, trx, user)) === 0)
    throw new WireError("YOU_CANT_REMOVE_YOUR_LAST_WAY_IN");
  await settleNumberChange(deps, trx, { user, change: "removed", caller });
};

/** Changes the members of the caller's own user that they may change. A request without any changes nothing. */
export const updateUser: Handler<"updateUser"> = async (
  deps,
  { body, caller, session: current },
) => {
  if (body["email"]) throw new WireError("EMAIL_CAN_NOT_BE_UPDATED");
  const removesNumber = await isNumberRemoved(deps, { body, session: current });
  const change = {
    ...(await readChange(deps, { body })),
    ...(removesNumber && { phoneNumber: null, phoneNumberVerified: false }),
  };
  if (Object.keys(change).length === 0) return { reply: { status: true } };
  const user = { id: current.user.id };
  const actor = sessionActor(current);
  const changed = await changeUser(deps, {
    user,
    change,
    action: removesNumber ? "user.phone-changed" : "user.updated",
    caller,
    actor,
    publish: removesNumber
      ? (trx, written) => settleNumberRemoval(deps, trx, { user: written, caller })
      : undefined,
  }).catch((error: unknown) => {
    throw takenError(error, new WireError("FAILED_TO_UPDATE_USER"));
  });
  if (!changed) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  const effect = await reissueChanged(deps, current, changed);
  return { reply: { status: true }, effect };
};

type ChangeEmailNeeds = TakeEmailNeeds & Pick<Deps, "showUser">;

interface Wanted {
  user: UserRow;
  /** The new address. */
  email: string;
}

/** An unverified address is replaced without a confirmation by mail to it. */
const changeAtOnce = async (
  deps: ChangeEmailNeeds,
  { body, caller, session: current }: CallOf<"changeEmail">,
  wanted: Wanted,
): Promise<AnswerOf<"changeEmail">> => {
  const { callbackURL } = body;
  const { session } = current;
  const changed = await takeEmail(deps, { ...wanted, callbackURL, caller, session });
  if (!changed) throw new WireError("COULDNT_UPDATE_YOUR_EMAIL");
  const effect = await reissueChanged(deps, current, changed);
  return { reply: { status: true }, effect };
};

/** Mails the confirmation link to the current, verified address. */
const confirmByOldAddress = async (
  deps: ChangeEmailNeeds,
  { body, caller, session: current }: CallOf<"changeEmail">,
  { user, email: newEmail }: Wanted,
): Promise<AnswerOf<"changeEmail">> => {
  const { callbackURL } = body;
  const { id: userId, email, name } = user;
  const link = { userId, email, updateTo: newEmail, callbackURL, caller };
  const { url, store, ...proposed } = await proposeVerificationLink(deps, link);
  const expiresAt = proposed.expiresAt.toISOString();
  await deps.db.transaction().execute(async (trx) => {
    await deps.limits.countLinkMail(trx, { email, countsFor: "holders", beyond: "refuse" });
    await store(trx);
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
export const changeEmail: Handler<"changeEmail"> = async (deps, call) => {
  const options = deps.config.user.changeEmail;
  if (!options.enabled) throw new WireError("CHANGE_EMAIL_IS_DISABLED");
  const user = await findUser(deps, { id: call.session.user.id });
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  const email = readEmail(call.body.newEmail);
  if (email === user.email) throw new WireError("EMAIL_IS_THE_SAME");
  if (await findUser(deps, { email })) throw new WireError("COULDNT_UPDATE_YOUR_EMAIL");
  if (!user.emailVerified) return changeAtOnce(deps, call, { user, email });
  if (!options.confirmByMail) throw new WireError("VERIFICATION_EMAIL_ISNT_ENABLED");
  return confirmByOldAddress(deps, call, { user, email });
};

type ChangeEmailOtpNeeds = ExamineCodeNeeds &
  MailCodeNeeds &
  TakeEmailNeeds &
  Pick<Deps, "showUser">;

/** Returns the caller and the wanted address. */
const readWanted = async (
  deps: ChangeEmailOtpNeeds,
  { body, session }: CallOf<"requestEmailChangeOtp" | "changeEmailOtp">,
): Promise<{ user: UserRow; newEmail: string }> => {
  if (!deps.config.emailOTP.changeEmail.enabled)
    throw new WireError("CHANGE_EMAIL_WITH_OTP_IS_DISABLED");
  const newEmail = readEmail(body.newEmail);
  const user = await findUser(deps, { id: session.user.id });
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  if (newEmail === user.email) throw new WireError("EMAIL_IS_THE_SAME");
  return { user, newEmail };
};

const changeOf = ({ id }: UserRow, newEmail: string) =>
  ({ purpose: "change-email", name: id, newEmail }) as const;

/** Checks the code of the current address, if the address is proven and the options require that. */
const examineCurrent = async (
  deps: ChangeEmailOtpNeeds,
  { body: { otp }, caller }: CallOf<"requestEmailChangeOtp">,
  user: UserRow,
): Promise<RightCode | undefined> => {
  const { verifyCurrentEmail } = deps.config.emailOTP.changeEmail;
  if (!verifyCurrentEmail || !(await isAddressProven(deps.db, user))) return undefined;
  if (otp === undefined) throw new WireError("OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL");
  const subject = { purpose: "email-verification", name: user.email } as const;
  return examineCode(deps, { subject, otp, caller, isOfHolder: true });
};

/**
 * Mails a code to the new address. A taken address is answered alike and mailed nothing. The caller's own count decides on the refusal, and
 * not that of the mailbox, which differs between free and taken addresses. Beyond the mailbox's limit the mail is dropped.
 */
export const requestEmailChangeOtp: Handler<"requestEmailChangeOtp"> = async (deps, call) => {
  const { caller, session } = call;
  const { user, newEmail } = await readWanted(deps, call);
  const right = await examineCurrent(deps, call, user);
  const taker = await findUser(deps, { email: newEmail });
  const { browser, effect } = rememberCodeBrowser(deps, caller, "change-email");
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
export const changeEmailOtp: Handler<"changeEmailOtp"> = async (deps, call) => {
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

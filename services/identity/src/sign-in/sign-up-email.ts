import { type Caller, WireError } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import type { Transaction } from "kysely";
import { isRequired } from "../sessions/requirement.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import { findPlace } from "../sessions/device-sessions.ts";
import { type UserRow, toUser } from "../users/user-row.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler, CallOf } from "../deps.ts";
import { checkNewPassword } from "../access/check-password.ts";
import { rememberBrowser } from "../secrets/mailed-links.ts";
import { mailCode } from "../email-codes/mail-code.ts";
import {
  requestVerification,
  type VerificationRequest,
} from "../email-verification/request-verification.ts";
import { findUserByEmail, type NewUser } from "../users/queries.ts";
import { readEmail } from "../users/email.ts";
import {
  passwordAccount,
  proposeUser,
  registerUser,
  type RegisterUserNeeds,
} from "../accounts/register-user.ts";
import { usernameMembers } from "../users/username-rules.ts";

/**
 * Starts the session of a user who has just registered with a password. Returns undefined if a second factor is required of the user, who
 * sets it up in the first sign-in. Throws `FAILED_TO_CREATE_SESSION` if the application's hook vetoes the session.
 */
export const startFirstSession = async (
  deps: CreateSessionNeeds,
  user: UserRow,
  { caller, remember }: { caller: Caller; remember: boolean },
): Promise<NewSession | undefined> => {
  if (isRequired(deps.config, user, deps.clock())) return undefined;
  const proof = { methods: ["password"] } as const;
  const created = await createSession(deps, user, { caller, remember, proof });
  if (!created) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 400 });
  return created;
};

type Needs = CreateSessionNeeds & RegisterUserNeeds & Pick<Deps, "limits" | "passwords">;

/** Returns whether the sign-up has the proof from the mail of an invitation, which only a reader of the mailbox knows. */
const isInvited = ({ ring, clock }: Needs, proof: string | undefined, email: string): boolean => {
  const sealedFor = { purpose: "invited address", subject: email } as const;
  const expiresAt = proof === undefined ? undefined : unseal(ring, sealedFor, proof);
  return expiresAt !== undefined && Number(expiresAt) > clock();
};

/** Returns the user to register. The proof of an address verifies no other one that the application's hook has put in its place. */
const propose = async (
  deps: Needs,
  { body, caller }: CallOf<"signUpEmail">,
  { email, emailVerified }: Pick<NewUser, "email" | "emailVerified">,
): Promise<NewUser> => {
  const proposed = await proposeUser(deps, {
    caller,
    name: body.name,
    email,
    emailVerified,
    image: body.image ?? null,
    ...usernameMembers(deps.config.username, body),
    extra: await deps.fields.user.read({ values: body, mode: "create" }),
  });
  return emailVerified && proposed.email !== email
    ? { ...proposed, emailVerified: false }
    : proposed;
};

const mailsLink = ({ config: { emailAndPassword, emailVerification } }: Needs): boolean =>
  emailVerification.enabled &&
  (emailVerification.sendOnSignUp || emailAndPassword.requireEmailVerification);

/** Returns whether a code is mailed beside, or instead of, a link. */
const mailsCode = ({ config: { emailOTP } }: Needs): boolean =>
  emailOTP.enabled && emailOTP.sendVerificationOnSignUp;

/** Returns the mails of a sign-up. A code that replaces the link is mailed once. */
const prepareMails = async (deps: Needs, request: VerificationRequest) => {
  const { user, caller, actor, browser } = request;
  const { overrideDefaultEmailVerification } = deps.config.emailOTP;
  const link = mailsLink(deps) ? await requestVerification(deps, request) : undefined;
  const isReplaced = link !== undefined && overrideDefaultEmailVerification;
  const code = mailsCode(deps) && !isReplaced;
  if (!link && !code) return undefined;
  return async (trx: Transaction<Tables>) => {
    await link?.publish(trx);
    if (code)
      await mailCode(deps, trx, {
        email: user.email,
        userId: user.id,
        userName: user.name,
        byUser: true,
        subject: { purpose: "email-verification", name: user.email },
        browser,
        isDue: true,
        actor,
        caller,
      });
  };
};

const register = async (
  deps: Needs,
  { body, caller }: CallOf<"signUpEmail">,
  { user, passwordHash, browser }: { user: NewUser; passwordHash: string; browser?: string },
): Promise<UserRow> => {
  const { callbackURL } = body;
  const actor = { kind: "user", id: user.id } as const;
  const request = { user, callbackURL, caller, actor, browser, beyond: "drop" } as const;
  const publish = user.emailVerified ? undefined : await prepareMails(deps, request);
  const registered = await registerUser(deps, {
    user,
    account: passwordAccount(passwordHash),
    caller,
    publish,
  });
  if (!registered) throw new WireError("USER_ALREADY_EXISTS");
  return registered;
};

/** Registers a user with a password. Signs the user in, unless the address must be verified first. */
export const signUpEmail: Handler<"signUpEmail"> = async (deps, call) => {
  const { body, caller } = call;
  const options = deps.config.emailAndPassword;
  if (!options.enabled || options.disableSignUp)
    throw new WireError("EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED");
  const email = readEmail(body.email);
  await checkNewPassword(deps, body.password);
  if (await findUserByEmail(deps.db, email)) throw new WireError("USER_ALREADY_EXISTS");
  const isProven = isInvited(deps, body.invitationProof, email);
  const proposed = await propose(deps, call, { email, emailVerified: isProven });
  const { emailVerified } = proposed;
  const passwordHash = await deps.passwords.hash(body.password);
  const signsIn = options.autoSignIn && (emailVerified || !options.requireEmailVerification);
  if (signsIn) await findPlace(deps, caller, undefined);
  // If the user is signed in, the session identifies the browser to the link as well.
  const mails = !emailVerified && (mailsLink(deps) || mailsCode(deps));
  const asker = mails && !signsIn ? rememberBrowser(deps, caller) : undefined;
  const user = await register(deps, call, { user: proposed, passwordHash, ...asker });
  const remember = body.rememberMe ?? true;
  const created = signsIn ? await startFirstSession(deps, user, { caller, remember }) : undefined;
  if (!created) return { reply: { token: null, user: toUser(user) }, effect: asker?.effect };
  return { reply: { token: created.token, user: toUser(user) }, effect: created.effect };
};

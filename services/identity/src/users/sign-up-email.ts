import {
  isEmailAddress,
  type OperationReply,
  type operations,
  type User,
  WireError,
} from "@latchkey/contracts";
import { type Answer, appendAudit, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkPasswordLength } from "../passwords/check-password-length.ts";
import { createSession } from "../sessions/create-session.ts";
import { requestVerification } from "../verification/request-verification.ts";
import { findUserByEmail, insertAccount, insertUser } from "./queries.ts";
import { applyBeforeHook } from "./row-hooks.ts";
import { toUser, type UserRow } from "./user-row.ts";

type SignUpEmail = typeof operations.identity.signUpEmail;
type Needs = Pick<
  Deps,
  | "clock"
  | "config"
  | "db"
  | "newEventId"
  | "newId"
  | "passwords"
  | "ring"
  | "sessions"
  | "wakeRelay"
>;

const proposeUser = async (
  deps: Needs,
  { body }: Call<SignUpEmail>,
  email: string,
): Promise<User> => {
  const now = new Date(deps.clock());
  const proposed = await applyBeforeHook<User>(deps.config.databaseHooks.user.create, {
    id: deps.newId("user"),
    name: body.name,
    email,
    emailVerified: false,
    image: body.image ?? null,
    createdAt: now,
    updatedAt: now,
  });
  if (!proposed) throw new WireError("FAILED_TO_CREATE_USER");
  return { ...proposed, email: proposed.email.toLowerCase() };
};

const proposeAccount = async (deps: Needs, userId: string) => {
  const account = await applyBeforeHook(deps.config.databaseHooks.account.create, {
    id: deps.newId("account"),
    userId,
    providerId: "credential",
    accountId: userId,
  });
  if (!account) throw new WireError("FAILED_TO_CREATE_USER");
  return { ...account, userId }; // a hook may not hand the account to somebody else
};

/** User, password account, mail event and audit rows commit together or not at all. */
const register = async (
  deps: Needs,
  { body, caller }: Call<SignUpEmail>,
  { user, passwordHash }: { user: User; passwordHash: string },
): Promise<UserRow> => {
  const { emailAndPassword, emailVerification } = deps.config;
  const account = await proposeAccount(deps, user.id);
  const mails = emailVerification.sendOnSignUp || emailAndPassword.requireEmailVerification;
  const publish =
    mails && emailVerification.enabled
      ? await requestVerification(deps, {
          user,
          callbackURL: body.callbackURL,
          caller,
          actor: { kind: "user", id: user.id },
        })
      : undefined;
  const registered = await deps.db.transaction().execute(async (trx) => {
    const row = await insertUser(trx, user);
    if (!row) return undefined;
    const { createdAt, updatedAt } = user;
    await insertAccount(trx, { ...account, password: passwordHash, createdAt, updatedAt });
    await publish?.(trx);
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: row.id },
      subject: { kind: "user", id: row.id },
      action: "user.created",
      caller,
      after: { email: row.email, name: row.name },
    });
    return row;
  });
  if (!registered) throw new WireError("USER_ALREADY_EXISTS");
  if (publish) deps.wakeRelay();
  await deps.config.databaseHooks.account.create.after?.(account);
  await deps.config.databaseHooks.user.create.after?.(toUser(registered));
  return registered;
};

/** Registers a user with a password and, unless the address must be verified first, signs them in. */
export const signUpEmail = async (
  deps: Needs,
  call: Call<SignUpEmail>,
): Promise<Answer<OperationReply<SignUpEmail>>> => {
  const { body, caller } = call;
  const options = deps.config.emailAndPassword;
  if (!options.enabled || options.disableSignUp)
    throw new WireError("EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED");
  if (!isEmailAddress(body.email)) throw new WireError("INVALID_EMAIL");
  checkPasswordLength(body.password, options);
  const email = body.email.toLowerCase();
  if (await findUserByEmail(deps.db, email)) throw new WireError("USER_ALREADY_EXISTS");
  const proposed = await proposeUser(deps, call, email);
  const passwordHash = await deps.passwords.hash(body.password);
  const user = await register(deps, call, { user: proposed, passwordHash });
  if (!options.autoSignIn || options.requireEmailVerification)
    return { reply: { token: null, user: toUser(user) } };
  const created = await createSession(deps, user, { caller, remember: true });
  if (!created) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 400 });
  return { reply: { token: created.token, user: toUser(user) }, effect: created.effect };
};

import { rolesOf, WireError, operations, secretTokens } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import type { Deps, Handler, CallOf } from "../deps.ts";
import { findUser } from "../users/find-users.ts";
import { type UserRow, toUser } from "../users/user-row.ts";
import { adminRole } from "../users/admin-rights.ts";
import { operatorActor, operatorCaller } from "./operator.ts";
import { createUserRow, type CreateUserNeeds, type UserCreation } from "./create-user.ts";
import { dropSecrets, issueSecret, readSecret, useSecret } from "../secrets/secrets.ts";
import { findAdmin, lockAdmins } from "../users/roles/queries.ts";
import type { IdentityConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { CreateSessionNeeds } from "../sessions/create-session.ts";
import { startFirstSession } from "../sign-in/sign-up-email.ts";
import { readEmail } from "../users/email.ts";

/** Adds the first of the admin roles to a user's roles. A user who has it stays unchanged. */
export const promoteUser = async (
  deps: ChangeUserNeeds & Pick<Deps, "newEventId">,
  { email }: { email: string },
): Promise<UserRow> => {
  const user = await findUser(deps, { email });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const role = adminRole(deps.config.admin);
  const roles = rolesOf(deps.config.admin, user);
  if (roles.includes(role)) return user;
  const changed = await changeUser(deps, {
    user,
    change: { role: [...roles, role].join(",") },
    action: "user.role-changed",
    actor: operatorActor,
    caller: operatorCaller(deps, "setRole"),
    guard: { email: user.email },
  });
  if (!changed) throw new WireError("USER_NOT_FOUND");
  return changed;
};

/** The data of an admin to create. */
export interface NewAdmin {
  email: string;
  name: string;
  password: string;
  /** Further members of the user, such as additional fields. */
  data: Readonly<Record<string, unknown>>;
}

const readBody = (given: object) => {
  const { success, data, error } = operations.identity.createUser.body.safeParse(given);
  if (success) return data;
  const issues = error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new WireError("VALIDATION_ERROR", { issues });
};

/**
 * Creates a user with a password and the first of the admin roles. The address counts as verified, because the operator
 * of the machine vouches for it.
 */
export const createAdmin = async (
  deps: CreateUserNeeds & Pick<Deps, "newEventId">,
  { email, name, password, data }: NewAdmin,
  by: Omit<UserCreation, "body"> = {
    caller: operatorCaller(deps, "createUser"),
    actor: operatorActor,
  },
): Promise<UserRow> => {
  const body = readBody({
    email,
    name,
    password,
    role: adminRole(deps.config.admin),
    data: { ...data, emailVerified: true },
  });
  const created = await createUserRow(deps, { ...by, body });
  if (!created) throw new WireError("USER_ALREADY_EXISTS");
  return created;
};

/** Returns whether a first admin is possible: there is an admin role, and a password sign-in for later. */
const canHaveFirstAdmin = ({
  admin,
  emailAndPassword,
}: Pick<IdentityConfig, "admin" | "emailAndPassword">): boolean => {
  const [role] = admin.adminRoles;
  return (
    admin.enabled &&
    emailAndPassword.enabled &&
    role !== undefined &&
    (role === admin.defaultRole || Object.hasOwn(admin.roles, role))
  );
};

const lifetimeSeconds = secretTokens.firstRun.lifetime;
/** At most one token exists. */
const holder = "first-run";

/**
 * Creates a token for the first admin, valid once and for an hour, and replaces the previous one. Returns undefined if
 * there is an admin already, or if a first admin is not possible.
 */
export const openFirstRun = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "logger" | "newId" | "ring">,
): Promise<string | undefined> => {
  if (!canHaveFirstAdmin(deps.config)) return undefined;
  return deps.db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    if (await findAdmin(trx, deps.config.admin)) return undefined;
    await dropSecrets(trx, ["firstRun"], { holder });
    return (await issueSecret(deps, trx, { name: "firstRun", holder, lifetimeSeconds })).token;
  });
};

/** Returns whether a token can still create the first admin: it is valid, and there is no admin. */
const isFirstRunOpen = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  token: string,
): Promise<boolean> =>
  canHaveFirstAdmin(deps.config) &&
  (await readSecret(deps, "firstRun", { token })) !== undefined &&
  (await findAdmin(deps.db, deps.config.admin)) === undefined;

/** Returns whether a first-run link is valid, so that its page should show the form. */
export const checkFirstRun: Handler<"checkFirstRun"> = async (deps, { body: { token } }) => ({
  reply: { isOpen: await isFirstRunOpen(deps, token) },
});

type Needs = CreateSessionNeeds & CreateUserNeeds;
type Body = CallOf<"completeFirstRun">["body"];

const refusal = () => new WireError("INVALID_TOKEN", { status: 403 });

/**
 * Uses up the token if there is no admin. Changes that create or remove an admin wait for each other, so only one of
 * several concurrent calls succeeds.
 */
const take = async (deps: Needs, trx: Transaction<Tables>, token: string): Promise<void> => {
  await lockAdmins(trx);
  const isFirst = (await findAdmin(trx, deps.config.admin)) === undefined;
  if (!isFirst || !(await useSecret(deps, trx, { name: "firstRun", token }))) throw refusal();
};

/** Returns the additional fields of the request. The first admin may set nothing else. */
const readFields = ({ config }: Needs, sent: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.keys(config.additionalFields.user)
      .filter((name) => Object.hasOwn(sent, name))
      .map((name) => [name, sent[name]]),
  );

const create = async (
  deps: Needs,
  { token, name, email, password, ...others }: Body,
  { caller }: CallOf<"completeFirstRun">,
): Promise<UserRow> =>
  createAdmin(
    deps,
    { name, email: readEmail(email), password, data: readFields(deps, others) },
    { caller, within: (trx) => take(deps, trx, token) },
  );

/**
 * Creates the first admin of an installation and signs them in, unless the options require a second factor of admins: the first sign-in
 * sets it up. The token is checked before the password is hashed and used up with the write. It therefore stays valid if the request is
 * rejected for another reason.
 */
export const completeFirstRun: Handler<"completeFirstRun"> = async (deps, call) => {
  const { body, caller } = call;
  if (!(await isFirstRunOpen(deps, body.token))) throw refusal();
  const user = await create(deps, body, call);
  const created = await startFirstSession(deps, user, { caller, remember: true });
  if (!created) return { reply: { token: null, user: toUser(user) } };
  return { reply: { token: created.token, user: toUser(user) }, effect: created.effect };
};

import {
  type Caller,
  type ErrorCode,
  type RequiredPermission,
  WireError,
  operations,
} from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import { applicationUrl } from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps, CallOf, Handler } from "../deps.ts";
import { checkNewPassword } from "../access/check-password.ts";
import { findUser } from "../users/find-users.ts";
import { readEmail, isPlaceholderEmail } from "../users/email.ts";
import {
  passwordAccount,
  proposeUser,
  registerUser,
  type RegisterUserNeeds,
} from "../accounts/register-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { proposeNumber } from "../phone-numbers/read-number.ts";
import { checkUsername, usernameMembers } from "../users/username-rules.ts";
import {
  readRoles,
  adminActor,
  type AdminCall,
  checkReach,
  recheckReach,
} from "../users/admin-rights.ts";
import {
  type MailResetLinkNeeds,
  prepareResetLink,
  mailResetLink,
} from "../passwords/reset-password.ts";
import { dropSecrets } from "../secrets/secrets.ts";
import { lockUser } from "../users/queries.ts";
import { updateInvited } from "../users/invitations/queries.ts";

type Body = CallOf<"createUser">["body"];
type Data = NonNullable<Body["data"]>;

export type CreateUserNeeds = RegisterUserNeeds &
  Pick<Deps, "compromisedPasswords" | "fields" | "passwords">;

export interface UserCreation {
  body: Body;
  caller: Caller;
  /** Default: the new user, who signs up. */
  actor?: AuditEntry["actor"] | undefined;
  /** Runs first in the transaction. An error rolls it back. */
  within?: ((trx: Transaction<Tables>) => Promise<void>) | undefined;
}

const readUsername = async ({ config }: CreateUserNeeds, data: Data) => {
  const members = usernameMembers(config.username, data);
  if (members.username !== undefined) await checkUsername(config.username, members.username);
  return members;
};

/** Returns the id that a service forces. Ignores any other id, and a second address. */
const readId = (
  { logger }: CreateUserNeeds,
  { id, forceAllowId = false, data = {} }: Pick<Body, "data" | "forceAllowId" | "id">,
): string | undefined => {
  const isIgnored = (id !== undefined && !forceAllowId) || "id" in data || "email" in data;
  if (isIgnored) logger.warn({ model: "user" }, "an id or address given as data is ignored");
  return forceAllowId ? id : undefined;
};

/** Returns the row of a user that an admin or a service creates. */
const proposeCreatedUser = async (
  deps: CreateUserNeeds,
  body: Omit<Body, "email" | "password">,
  email: string,
) => {
  const { data = {} } = body;
  const { name = body.name, banExpires = null } = data;
  const role = givenRole(body);
  return proposeUser(deps, {
    id: readId(deps, body),
    name,
    email,
    emailVerified: data.emailVerified ?? false,
    image: data.image ?? null,
    banned: data.banned ?? false,
    banReason: data.banReason ?? null,
    banExpires: banExpires === null ? null : new Date(banExpires),
    ...(await readUsername(deps, data)),
    ...(await proposeNumber(deps, data)),
    role: role === undefined ? undefined : readRoles(deps.config.admin, role),
    extra: await deps.fields.user.read({ values: data, mode: "create", isTrusted: true }),
  });
};

/** Inserts a user, with a password if one is given, without a mail. Returns undefined if the address is taken. */
export const createUserRow = async (
  deps: CreateUserNeeds,
  { body, ...registration }: UserCreation,
): Promise<UserRow | undefined> => {
  const email = readEmail(body.email);
  const { password } = body;
  if (password !== undefined) await checkNewPassword(deps, password);
  if (await findUser(deps, { email })) return undefined;
  const user = await proposeCreatedUser(deps, body, email);
  if (password === undefined) return registerUser(deps, { ...registration, user });
  const account = passwordAccount(await deps.passwords.hash(password));
  return registerUser(deps, { ...registration, user, account });
};

/** Returns the error for an admin, to whom a veto of the application's hook is a server error. */
const refusalToCreate = (error: unknown): unknown =>
  error instanceof WireError && error.code === "FAILED_TO_CREATE_USER" && error.status === 400
    ? new WireError("FAILED_TO_CREATE_USER", { status: 500 })
    : error;

const permissionTo = (action: string, refusal: ErrorCode): RequiredPermission => ({
  resource: "user",
  action,
  refusal,
});
const mayCreate = permissionTo("create", "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS");
const mayGiveRoles = permissionTo("set-role", "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE");
const maySetEmail = permissionTo("set-email", "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL");
const mayBan = permissionTo("ban", "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS");

/** Checks the permission to create a user with a role. A role may not have more permissions than the caller. */
const checkMayCreateUser = (
  deps: Pick<Deps, "config">,
  call: AdminCall & { body: Parameters<typeof givenRole>[0] },
): void => {
  const { admin } = deps.config;
  const wantedRole = givenRole(call.body);
  const role = wantedRole === undefined ? admin.defaultRole : readRoles(admin, wantedRole);
  const isRaised = role !== admin.defaultRole;
  checkReach(deps, call, { permission: isRaised ? mayGiveRoles : mayCreate, role });
};

/**
 * Checks the permissions to set a role other than the default one, a verified address and a ban. An admin who could
 * verify any address would receive what is offered to it, such as an invitation.
 */
const checkMayGive = (
  deps: Pick<Deps, "config">,
  call: CallOf<"adminCreateUser" | "createUser">,
): void => {
  const { body } = call;
  checkMayCreateUser(deps, call);
  if (body.data?.emailVerified) checkReach(deps, call, { permission: maySetEmail });
  if (body.data?.banned) checkReach(deps, call, { permission: mayBan });
};

/** Creates a user, with a password if one is given, without a mail or a session. A service may choose the id. */
export const adminCreateUser: Handler<"adminCreateUser" | "createUser"> = async (deps, call) => {
  const { body, caller } = call;
  checkMayGive(deps, call);
  const actor = adminActor(call);
  const user = await createUserRow(deps, { body, caller, actor }).catch((error: unknown) => {
    throw refusalToCreate(error);
  });
  if (!user) throw new WireError("USER_ALREADY_EXISTS", { status: 400 });
  return { reply: { user: deps.showUser(user) } };
};

/** Returns the roles of a new user, or undefined if none are given. Roles in `data` take precedence. */
const givenRole = ({ role, data }: Pick<Body, "role" | "data">): Body["role"] => data?.role ?? role;

/** Throws `RESET_PASSWORD_ISNT_ENABLED` if an invited user could not choose a password, or not sign in with it. */
const checkInvitationsOn = ({ config }: Pick<Deps, "config">): void => {
  const { enabled, resetPassword } = config.emailAndPassword;
  if (!enabled || !resetPassword.enabled) throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
};

type Needs = CreateUserNeeds & MailResetLinkNeeds & Pick<Deps, "showUser">;
type InvitationBody = CallOf<"adminInviteUser">["body"];

/** Returns the additional fields of the request. An invitation may set nothing else: no verified address and no ban. */
const readFields = ({ config }: Needs, sent: InvitationBody["data"] = {}) =>
  Object.fromEntries(
    Object.entries(sent).filter(([name]) => Object.hasOwn(config.additionalFields.user, name)),
  );

const register = async (deps: Needs, call: CallOf<"adminInviteUser">, email: string) => {
  const { body, caller } = call;
  const { name, role } = body;
  const fields = { name, role, data: readFields(deps, body.data) };
  const user = await proposeCreatedUser(deps, fields, email);
  const actor = adminActor(call);
  const link = await prepareResetLink(deps, {
    purpose: "user-invitation",
    // The application's hook may have changed it.
    email: user.email,
    userId: user.id,
    redirectTo: body.redirectTo || applicationUrl(deps.config.appURL, caller) || "/",
    actor,
    caller,
    limit: { countsFor: "admins", beyond: "refuse" },
  });
  const invitedAt = new Date(deps.clock());
  const registered = await registerUser(deps, {
    user,
    account: { providerId: "credential", secrets: { password: null, invitedAt } },
    actor,
    caller,
    publish: link.publish,
  });
  if (registered) await link.settle();
  return registered;
};

/**
 * Creates a user without a password and mails them a link to choose one. User, link and mail commit together. The reader of the mailbox can
 * sign in by the link, so it is stored as a hash, works once and expires. Throws `USER_ALREADY_EXISTS` for a taken address.
 */
export const adminInviteUser: Handler<"adminInviteUser"> = async (deps, call) => {
  checkInvitationsOn(deps);
  // A role among the additional fields is ignored.
  checkMayCreateUser(deps, { ...call, body: { role: call.body.role } });
  const email = readEmail(call.body.email);
  if (isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  const existsError = new WireError("USER_ALREADY_EXISTS", { status: 400 });
  if (await findUser(deps, { email })) throw existsError;
  const user = await register(deps, call, email).catch((error: unknown) => {
    throw refusalToCreate(error);
  });
  if (!user) throw existsError;
  return { reply: { user: deps.showUser(user) } };
};

const { permission } = operations.identity.adminResendUserInvitation;

/**
 * Mails an invited user a new link, which replaces all earlier ones. Throws `INVITATION_NOT_FOUND` for a user who has chosen a
 * password, or was not invited.
 */
export const adminResendUserInvitation: Handler<"adminResendUserInvitation"> = async (
  deps,
  call,
) => {
  const { params, body, caller } = call;
  checkInvitationsOn(deps);
  const user = await findUser(deps, params);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission, target: user };
  checkReach(deps, call, act);
  const { id: userId, email } = user;
  if (isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  const recheck = recheckReach(deps, call, act);
  const isMailed = await mailResetLink(deps, {
    purpose: "user-invitation",
    email,
    userId,
    redirectTo: body?.redirectTo || applicationUrl(deps.config.appURL, caller) || "/",
    actor: adminActor(call),
    caller,
    limit: { countsFor: "admins", beyond: "refuse" },
    within: async (trx) => {
      await recheck(trx);
      // A concurrent use of an earlier link waits for this lock, and then finds its link deleted.
      await lockUser(trx, userId);
      if (!(await updateInvited(trx, { userId, now: new Date(deps.clock()) })))
        throw new WireError("INVITATION_NOT_FOUND");
      await dropSecrets(trx, ["passwordReset"], { holder: userId });
    },
  });
  if (!isMailed) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile, or the address has changed
  return { reply: { status: true } };
};

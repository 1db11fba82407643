import type { Caller, operations } from "@latchkey/contracts";
import type { AuditEntry, Call } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { checkPasswordLength } from "../passwords/check-password-length.ts";
import { findUser } from "../users/find-user.ts";
import { readEmail } from "../users/read-email.ts";
import {
  passwordAccount,
  proposeUser,
  registerUser,
  type RegisterUserNeeds,
} from "../users/register-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { checkUsername, usernameMembers } from "../users/username-rules.ts";
import { givenRole } from "./given-role.ts";
import { readRoles } from "./read-roles.ts";

type Body = Call<typeof operations.identity.createUser>["body"];
type Data = NonNullable<Body["data"]>;

export type CreateUserNeeds = RegisterUserNeeds & Pick<Deps, "fields" | "passwords">;

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
export const proposeCreatedUser = async (
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
    role: role === undefined ? undefined : readRoles(deps.config.admin, role),
    extra: await deps.fields.user.read({ values: data, mode: "create", isTrusted: true }),
  });
};

/** Inserts a user with a password, without a mail. Returns undefined if the address is taken. */
export const createUserRow = async (
  deps: CreateUserNeeds,
  { body, ...registration }: UserCreation,
): Promise<UserRow | undefined> => {
  const email = readEmail(body.email);
  checkPasswordLength(body.password, deps.config.emailAndPassword);
  if (await findUser(deps, { email })) return undefined;
  const user = await proposeCreatedUser(deps, body, email);
  const passwordHash = await deps.passwords.hash(body.password);
  return registerUser(deps, { ...registration, user, account: passwordAccount(passwordHash) });
};

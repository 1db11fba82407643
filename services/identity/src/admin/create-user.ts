import {
  hasPermissions,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
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
import { checkUsername, usernameMembers } from "../users/username-rules.ts";
import { readRoles } from "./read-roles.ts";
import { adminActor } from "./admin-actor.ts";

type AdminCreateUser = typeof operations.identity.adminCreateUser;
type CreateUser = typeof operations.identity.createUser;
type Needs = RegisterUserNeeds & Pick<Deps, "fields" | "passwords" | "showUser">;
type Data = NonNullable<Call<CreateUser>["body"]["data"]>;

const taken = () => new WireError("USER_ALREADY_EXISTS", { status: 400 });

/** What the application's hook vetoed is, for an admin, a failure on our side. */
const refusalOf = (error: unknown): unknown =>
  error instanceof WireError && error.code === "FAILED_TO_CREATE_USER" && error.status === 400
    ? new WireError("FAILED_TO_CREATE_USER", { status: 500 })
    : error;

const readUsername = async ({ config }: Needs, data: Data) => {
  const members = usernameMembers(config.username, data);
  if (members.username !== undefined) await checkUsername(config.username, members.username);
  return members;
};

/** The id that a service forces; any other, and a second address, is passed by. */
const readId = (
  { logger }: Needs,
  { id, forceAllowId = false, data = {} }: Call<CreateUser>["body"],
): string | undefined => {
  const isIgnored = (id !== undefined && !forceAllowId) || "id" in data || "email" in data;
  if (isIgnored) logger.warn({ model: "user" }, "an id or address given as data is ignored");
  return forceAllowId ? id : undefined;
};

const propose = async (deps: Needs, body: Call<CreateUser>["body"], email: string) => {
  const { data = {} } = body;
  const { name = body.name, role = body.role, banExpires = null } = data;
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

/** Giving another role than everybody's is an action of its own. */
const checkMayGive = (
  { config: { admin } }: Needs,
  { body: { role, data }, session }: Call<AdminCreateUser> | Call<CreateUser>,
): void => {
  const given = role ?? data?.role;
  if (!session || given === undefined || readRoles(admin, given) === admin.defaultRole) return;
  if (!hasPermissions(admin, session.user, { user: ["set-role"] }))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE");
};

const create = async (deps: Needs, call: Call<AdminCreateUser> | Call<CreateUser>) => {
  const { body, caller } = call;
  checkMayGive(deps, call);
  const email = readEmail(body.email);
  checkPasswordLength(body.password, deps.config.emailAndPassword);
  if (await findUser(deps, { email })) throw taken();
  const user = await propose(deps, body, email);
  const passwordHash = await deps.passwords.hash(body.password);
  return registerUser(deps, {
    user,
    account: passwordAccount(passwordHash),
    caller,
    actor: adminActor(call),
  });
};

/** Creates a user with a password, who is sent no mail and signed in nowhere. A service may choose the id. */
export const createUser = async (
  deps: Needs,
  call: Call<AdminCreateUser> | Call<CreateUser>,
): Promise<Answer<OperationReply<AdminCreateUser>>> => {
  const user = await create(deps, call).catch((error: unknown) => {
    throw refusalOf(error);
  });
  if (!user) throw taken();
  return { reply: { user: deps.showUser(user) } };
};

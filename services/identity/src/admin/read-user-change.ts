import { type operations, WireError } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { findUserByUsername, type UserMembers } from "../users/queries.ts";
import { readEmail } from "../users/read-email.ts";
import type { UserRow } from "../users/user-row.ts";
import { checkUsername, usernameMembers } from "../users/username-rules.ts";
import { banOf } from "./ban-of.ts";
import { readRoles } from "./read-roles.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "fields">;
type Data = Call<typeof operations.identity.adminUpdateUser>["body"]["data"];

const readAddress = async (
  deps: Pick<Deps, "db">,
  user: UserRow,
  { email: given, emailVerified }: Data,
): Promise<UserMembers> => {
  const email = given === undefined ? user.email : readEmail(given);
  if (emailVerified && isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  if (email === user.email) return emailVerified === undefined ? {} : { emailVerified };
  if (await findUser(deps, { email })) throw new WireError("USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
  return { email, emailVerified: emailVerified ?? false };
};

const readUsername = async (
  { config, db }: Pick<Deps, "config" | "db">,
  user: UserRow,
  data: Data,
): Promise<UserMembers> => {
  const members = usernameMembers(config.username, data);
  const { username } = members;
  if (username === undefined) return members;
  await checkUsername(config.username, username);
  const holder = await findUserByUsername(db, username);
  if (holder && holder.id !== user.id)
    throw new WireError("USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER");
  return members;
};

const readBan = (
  deps: Pick<Deps, "clock" | "config">,
  { banned, banReason, banExpires }: Data,
): UserMembers => {
  if (banned === false) return { banned, banReason: null, banExpires: null };
  const expiry = banExpires ? { banExpires: new Date(banExpires) } : { banExpires: null };
  if (banned)
    return {
      ...banOf(deps, banReason ? { banReason } : {}),
      ...(banExpires === undefined ? {} : expiry),
    };
  return {
    ...(banReason === undefined ? {} : { banReason }),
    ...(banExpires === undefined ? {} : expiry),
  };
};

/** Returns the members that an admin's change sets, each checked by the rules of its own operation. */
export const readUserChange = async (
  deps: Needs,
  user: UserRow,
  data: Data,
): Promise<UserMembers> => {
  const { name, image, role } = data;
  const extra = await deps.fields.user.read({ values: data, mode: "update", isTrusted: true });
  return {
    ...(name === undefined ? {} : { name }),
    ...(image === undefined ? {} : { image }),
    ...(role === undefined ? {} : { role: readRoles(deps.config.admin, role) }),
    ...(await readAddress(deps, user, data)),
    ...(await readUsername(deps, user, data)),
    ...readBan(deps, data),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
};

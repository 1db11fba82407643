import {
  type ErrorCode,
  type OperationReply,
  type operations,
  type RequiredPermission,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { adminActor } from "./admin-actor.ts";
import { createUserRow, type CreateUserNeeds } from "./create-user-row.ts";
import { givenRole } from "./given-role.ts";
import { checkReach } from "./reach.ts";
import { readRoles } from "./read-roles.ts";

type AdminCreateUser = typeof operations.identity.adminCreateUser;
type CreateUser = typeof operations.identity.createUser;

/** For an admin, a veto of the application's hook is a server error. */
const refusalOf = (error: unknown): unknown =>
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

/**
 * Checks the permissions to set a role other than the default one, a verified address and a ban. An admin who could
 * verify any address would receive what is offered to it, such as an invitation. No role may have more permissions than
 * the caller.
 */
const checkMayGive = (
  deps: Pick<Deps, "config">,
  call: Call<AdminCreateUser> | Call<CreateUser>,
): void => {
  const { admin } = deps.config;
  const { body } = call;
  const given = givenRole(body);
  const role = given === undefined ? admin.defaultRole : readRoles(admin, given);
  const isRaised = role !== admin.defaultRole;
  checkReach(deps, call, { permission: isRaised ? mayGiveRoles : mayCreate, role });
  if (body.data?.emailVerified) checkReach(deps, call, { permission: maySetEmail });
  if (body.data?.banned) checkReach(deps, call, { permission: mayBan });
};

/** Creates a user with a password, without a mail or a session. A service may choose the id. */
export const createUser = async (
  deps: CreateUserNeeds & Pick<Deps, "showUser">,
  call: Call<AdminCreateUser> | Call<CreateUser>,
): Promise<Answer<OperationReply<AdminCreateUser>>> => {
  const { body, caller } = call;
  checkMayGive(deps, call);
  const actor = adminActor(call);
  const user = await createUserRow(deps, { body, caller, actor }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  if (!user) throw new WireError("USER_ALREADY_EXISTS", { status: 400 });
  return { reply: { user: deps.showUser(user) } };
};

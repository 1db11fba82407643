import {
  type ErrorCode,
  type OperationReply,
  type operations,
  type RequiredPermission,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { adminActor, type AdminCall } from "./admin-actor.ts";
import { createUserRow, type CreateUserNeeds } from "./create-user-row.ts";
import { givenRole } from "./given-role.ts";
import { checkReach } from "./reach.ts";
import { readRoles } from "./read-roles.ts";

type AdminCreateUser = typeof operations.identity.adminCreateUser;
type CreateUser = typeof operations.identity.createUser;

/** Returns the error for an admin, to whom a veto of the application's hook is a server error. */
export const refusalToCreate = (error: unknown): unknown =>
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
export const checkMayCreateUser = (
  deps: Pick<Deps, "config">,
  call: AdminCall & { body: Parameters<typeof givenRole>[0] },
): void => {
  const { admin } = deps.config;
  const given = givenRole(call.body);
  const role = given === undefined ? admin.defaultRole : readRoles(admin, given);
  const isRaised = role !== admin.defaultRole;
  checkReach(deps, call, { permission: isRaised ? mayGiveRoles : mayCreate, role });
};

/**
 * Checks the permissions to set a role other than the default one, a verified address and a ban. An admin who could
 * verify any address would receive what is offered to it, such as an invitation.
 */
const checkMayGive = (
  deps: Pick<Deps, "config">,
  call: Call<AdminCreateUser> | Call<CreateUser>,
): void => {
  const { body } = call;
  checkMayCreateUser(deps, call);
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
    throw refusalToCreate(error);
  });
  if (!user) throw new WireError("USER_ALREADY_EXISTS", { status: 400 });
  return { reply: { user: deps.showUser(user) } };
};

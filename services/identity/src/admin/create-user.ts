import {
  hasPermissions,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { adminActor } from "./admin-actor.ts";
import { createUserRow, type CreateUserNeeds } from "./create-user-row.ts";
import { givenRole } from "./given-role.ts";
import { readRoles } from "./read-roles.ts";

type AdminCreateUser = typeof operations.identity.adminCreateUser;
type CreateUser = typeof operations.identity.createUser;

/** What the application's hook vetoed is, for an admin, a failure on our side. */
const refusalOf = (error: unknown): unknown =>
  error instanceof WireError && error.code === "FAILED_TO_CREATE_USER" && error.status === 400
    ? new WireError("FAILED_TO_CREATE_USER", { status: 500 })
    : error;

/**
 * Giving another role than everybody's, vouching for the address and banning are actions of their own. Whoever could vouch for
 * any address would come by what is offered to it, as by an invitation.
 */
const checkMayGive = (
  { config: { admin } }: Pick<Deps, "config">,
  { body, session }: Call<AdminCreateUser> | Call<CreateUser>,
): void => {
  if (!session) return;
  const mayNot = (action: string) => !hasPermissions(admin, session.user, { user: [action] });
  const role = givenRole(body);
  const isRaised = role !== undefined && readRoles(admin, role) !== admin.defaultRole;
  if (isRaised && mayNot("set-role"))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE");
  if (body.data?.emailVerified && mayNot("update"))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS");
  if (body.data?.banned && mayNot("ban")) throw new WireError("YOU_ARE_NOT_ALLOWED_TO_BAN_USERS");
};

/** Creates a user with a password, who is sent no mail and signed in nowhere. A service may choose the id. */
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

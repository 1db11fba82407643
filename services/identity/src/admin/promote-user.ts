import { rolesOf, WireError } from "@latchkey/contracts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { adminRole } from "./read-roles.ts";
import { operatorActor, operatorCaller } from "./operator-caller.ts";

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

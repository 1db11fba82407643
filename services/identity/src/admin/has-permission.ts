import {
  mayDo,
  type OperationReply,
  type operations,
  type RoleHolder,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";

type AdminHasPermission = typeof operations.identity.adminHasPermission;
type HasPermission = typeof operations.identity.hasPermission;
type Needs = Pick<Deps, "config">;

const answer = (
  { config }: Needs,
  holder: RoleHolder,
  { permissions, permission, connector }: Call<HasPermission>["body"],
): Answer<OperationReply<AdminHasPermission>> => ({
  reply: {
    error: null,
    success: mayDo(config.admin, holder, {
      permissions: permissions ?? permission ?? {},
      connector,
    }),
  },
});

/** Returns whether the caller has all given permissions. Reports about no other user. */
export const hasPermissionAsAdmin = async (
  deps: Needs,
  { body, session: { user } }: Call<AdminHasPermission>,
): Promise<Answer<OperationReply<AdminHasPermission>>> => answer(deps, user, body);

/** Returns for a service whether a user, or a role by itself, has the given permissions. */
export const hasPermission = async (
  deps: Needs & Pick<Deps, "db">,
  { body }: Call<HasPermission>,
): Promise<Answer<OperationReply<HasPermission>>> => {
  const { userId, role } = body;
  const user = userId === undefined ? undefined : await findUser(deps, { id: userId });
  const holder = user ?? (role === undefined ? undefined : { role });
  if (!holder) throw new WireError("PERMISSION_USER_NOT_FOUND");
  return answer(deps, holder, body);
};

import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { reissueChanged } from "../sessions/reissue-changed.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import type { UserMembers } from "../users/queries.ts";
import { takenError } from "../users/taken-error.ts";
import { usernameMembers } from "../users/username-rules.ts";

type UpdateUser = typeof operations.identity.updateUser;
type Needs = ChangeUserNeeds & Pick<Deps, "fields" | "showUser">;

const readChange = async (
  deps: Needs,
  { body }: Pick<Call<UpdateUser>, "body">,
): Promise<UserMembers> => {
  const { name, image } = body;
  const extra = await deps.fields.user.read({ values: body, mode: "update" });
  return {
    ...(name === undefined ? {} : { name }),
    ...(image === undefined ? {} : { image }),
    ...usernameMembers(deps.config.username, body),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
};

/** Changes the members of the caller's own user that they may change. A request without any changes nothing. */
export const updateUser = async (
  deps: Needs,
  { body, caller, session: current }: Call<UpdateUser>,
): Promise<Answer<OperationReply<UpdateUser>>> => {
  if (body["email"]) throw new WireError("EMAIL_CAN_NOT_BE_UPDATED");
  const change = await readChange(deps, { body });
  if (Object.keys(change).length === 0) return { reply: { status: true } };
  const user = { id: current.user.id };
  const actor = sessionActor(current);
  const changed = await changeUser(deps, {
    user,
    change,
    action: "user.updated",
    caller,
    actor,
  }).catch((error: unknown) => {
    throw takenError(error, new WireError("FAILED_TO_UPDATE_USER"));
  });
  if (!changed) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  const effect = await reissueChanged(deps, current, changed);
  return { reply: { status: true }, effect };
};

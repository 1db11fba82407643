import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";

type AdminReadUser = typeof operations.identity.adminReadUser;

/** Returns a user in the form that version 1.7 of the SDK requests. `getUser` returns more. */
export const readUser = async (
  deps: Pick<Deps, "db" | "showUser">,
  { query: { id } }: Call<AdminReadUser>,
): Promise<Answer<OperationReply<AdminReadUser>>> => {
  const user = await findUser(deps, { id });
  if (!user) throw new WireError("USER_NOT_FOUND");
  return { reply: deps.showUser(user) };
};

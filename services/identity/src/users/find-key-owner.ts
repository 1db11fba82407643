import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUser } from "./find-user.ts";
import { isBanned } from "./user-rules.ts";

type FindKeyOwner = typeof operations.identity.findKeyOwner;

/** Returns the whole user with this id and whether a ban is in force now, or null if there is none. */
export const findKeyOwner = async (
  deps: Pick<Deps, "clock" | "db" | "showUser">,
  { body: { userId } }: Call<FindKeyOwner>,
): Promise<Answer<OperationReply<FindKeyOwner>>> => {
  const user = await findUser(deps, { id: userId });
  if (!user) return { reply: null };
  return { reply: { user: deps.showUser(user), isBanned: isBanned(user, deps.clock()) } };
};

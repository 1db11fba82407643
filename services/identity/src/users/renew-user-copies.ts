import type { Deps } from "../deps.ts";
import { findUser } from "./find-user.ts";

/** Brings the copies of a user that sessions carry up to the row of the moment. */
export const renewUserCopies = async (
  deps: Pick<Deps, "db" | "sessions">,
  userId: string,
): Promise<void> => {
  const user = await findUser(deps, { id: userId });
  if (user) await deps.sessions.renewUser(user);
};

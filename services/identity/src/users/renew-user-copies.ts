import type { Deps } from "../deps.ts";
import { findUserById } from "./queries.ts";

/** Brings the copies of a user that sessions carry up to the row of the moment. */
export const renewUserCopies = async (
  deps: Pick<Deps, "db" | "sessions">,
  userId: string,
): Promise<void> => {
  const user = await findUserById(deps.db, userId);
  if (user) await deps.sessions.renewUser(user);
};

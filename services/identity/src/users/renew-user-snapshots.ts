import type { Deps } from "../deps.ts";
import { findUser } from "./find-users.ts";

/** Updates the user snapshots in sessions to the current row. */
export const renewUserSnapshots = async (
  deps: Pick<Deps, "db" | "sessions">,
  userId: string,
): Promise<void> => {
  if (!deps.sessions.storesUserSnapshots) return;
  const user = await findUser(deps, { id: userId });
  if (user) await deps.sessions.renewUser(user);
};

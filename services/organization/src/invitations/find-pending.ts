import type { Deps } from "../deps.ts";
import { findPendingInvitation, type InvitationRow } from "./queries.ts";

/** An invitation of an organization that may still be accepted; undefined for one of another organization too. */
export const findPending = async (
  { clock, db }: Pick<Deps, "clock" | "db">,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<InvitationRow | undefined> => {
  const found = await findPendingInvitation(db, { id, now: new Date(clock()) });
  return found?.organizationId === organizationId ? found : undefined;
};

import type { Deps } from "../deps.ts";
import { isMailedId, rowIdsOf } from "./invitation-ids.ts";
import { type InvitationRow, listInvitationsByIds } from "./queries.ts";

type Needs = Pick<Deps, "db" | "ring">;

/** An invitation that a client named. */
export interface GivenInvitation {
  invitation: InvitationRow;
  /** Whether the client named it by the id from its mail. */
  isMailed: boolean;
}

/** Finds the invitation that a client names by the row's id or by the id from its mail. */
export const findGivenInvitation = async (
  { db, ring }: Needs,
  given: string,
): Promise<GivenInvitation | undefined> => {
  const found = await listInvitationsByIds(db, rowIdsOf(given));
  const mailed = found.find((row) => isMailedId(ring, given, row));
  const invitation = mailed ?? found.find(({ id }) => id === given);
  return invitation && { invitation, isMailed: mailed !== undefined };
};

/** Finds the invitation that a client names if it may still be accepted. */
export const findGivenPending = async (
  deps: Needs & Pick<Deps, "clock">,
  given: string,
): Promise<GivenInvitation | undefined> => {
  const found = await findGivenInvitation(deps, given);
  const isPending =
    found?.invitation.status === "pending" && found.invitation.expiresAt.getTime() > deps.clock();
  return isPending ? found : undefined;
};

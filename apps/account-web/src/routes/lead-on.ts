import { redirect } from "@tanstack/react-router";
import { sessionQuery } from "../session/session-query.ts";
import type { EntrySearch } from "./arrival-search.ts";
import type { RouterContext } from "./root-route.tsx";

interface Arriving {
  context: RouterContext;
  search: EntrySearch;
}

/** Leads users who are signed in already on to the page that they wanted, except guests, and unless somebody else signs in beside them. */
export const leadOn = async ({
  context: { queryClient },
  search: { redirect_to, add },
}: Arriving): Promise<void> => {
  if (add) return;
  const session = await queryClient.ensureQueryData(sessionQuery).catch(() => null);
  if (session && !session.user.isAnonymous)
    throw redirect({ to: "/continue", search: { redirect_to } });
};

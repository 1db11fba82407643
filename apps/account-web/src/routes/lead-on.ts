import { redirect } from "@tanstack/react-router";
import { sessionQuery } from "../session/session-query.ts";
import type { ArrivalSearch } from "./arrival-search.ts";
import type { RouterContext } from "./root-route.tsx";

interface Arriving {
  context: RouterContext;
  search: ArrivalSearch;
}

/** Leads users who are signed in already on to the page that they wanted. Guests may sign up or in. */
export const leadOn = async ({
  context: { queryClient },
  search: { redirect_to },
}: Arriving): Promise<void> => {
  const session = await queryClient.ensureQueryData(sessionQuery).catch(() => null);
  if (session && !session.user.isAnonymous)
    throw redirect({ to: "/continue", search: { redirect_to } });
};

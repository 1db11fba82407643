import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { type ArrivalSearch, arrivalSearch } from "../../routes/arrival-search.ts";
import { rootRoute } from "../../routes/root-route.tsx";
import { sessionQuery } from "../../session/session-query.ts";

const reasons = ["ended", "signed-out"] as const;

interface SignInSearch extends ArrivalSearch {
  /** Why this page is shown instead of the requested one. */
  reason?: (typeof reasons)[number] | undefined;
}

/** Users who are signed in already go on to the page that they wanted. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    ...arrivalSearch(search),
    reason: reasons.find((known) => known === search["reason"]),
  }),
  beforeLoad: async ({ context: { queryClient }, search }) => {
    const session = await queryClient.ensureQueryData(sessionQuery).catch(() => null);
    if (session) throw redirect({ to: "/continue", search: { redirect_to: search.redirect_to } });
  },
  component: lazyRouteComponent(() => import("./sign-in-screen.tsx"), "SignInScreen"),
});

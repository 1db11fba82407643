import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { type EntrySearch, entrySearch } from "../../routes/arrival-search.ts";
import { leadOn } from "../../routes/lead-on.ts";
import { rootRoute } from "../../routes/root-route.tsx";

const reasons = ["ended", "signed-out", "created", "expired", "tooMany"] as const;

interface SignInSearch extends EntrySearch {
  /** Why this page is shown instead of the requested one. */
  reason?: (typeof reasons)[number] | undefined;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    ...entrySearch(search),
    reason: reasons.find((known) => known === search["reason"]),
  }),
  beforeLoad: leadOn,
  component: lazyRouteComponent(
    screenOf(() => import("./sign-in-screen.tsx")),
    "SignInScreen",
  ),
});

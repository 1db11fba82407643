import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { textOf } from "../../routes/arrival-search.ts";
import { requireSession } from "../../routes/require-session.ts";
import { rootRoute } from "../../routes/root-route.tsx";

interface ConsentSearch {
  /** The signed query of the authorization request. */
  query: string;
  /** A signed query by which the request begins anew, for another user. */
  back?: string | undefined;
}

const queryLengthMax = 16_384;

/** The page on which a user lets an application use scopes. The server accepts only a query that it has signed for this user. */
export const consentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/consent",
  validateSearch: (search: Record<string, unknown>): ConsentSearch => ({
    query: textOf(search["query"], queryLengthMax) ?? "",
    back: textOf(search["back"]),
  }),
  beforeLoad: async (visit) => {
    if (!isOffered(operations.oauth.oauthConsent)) throw redirect({ to: "/" });
    return { session: await requireSession(visit) };
  },
  component: lazyRouteComponent(
    screenOf(() => import("./consent-screen.tsx")),
    "ConsentScreen",
  ),
});

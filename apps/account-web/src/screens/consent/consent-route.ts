import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { needTexts } from "../../languages.ts";
import { textOf } from "../../routes/arrival-search.ts";
import { rootRoute } from "../../routes/root-route.tsx";
import { sessionQuery } from "../../session/session-query.ts";

interface ConsentSearch {
  /** The signed query of the authorization request. */
  query: string;
}

const queryLengthMax = 16_384;

/** The page on which a user lets an application use scopes. The server accepts only a query that it has signed for this user. */
export const consentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/consent",
  validateSearch: (search: Record<string, unknown>): ConsentSearch => ({
    query: textOf(search["query"], queryLengthMax) ?? "",
  }),
  beforeLoad: async ({ context: { queryClient }, location }) => {
    if (!isOffered(operations.oauth.oauthConsent)) throw redirect({ to: "/" });
    const [session] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      needTexts("account"),
    ]);
    if (!session)
      throw redirect({
        to: "/sign-in",
        search: { redirect_to: `${pageFacts.webPath}${location.href}` },
      });
    return { session };
  },
  component: lazyRouteComponent(
    screenOf(() => import("./consent-screen.tsx")),
    "ConsentScreen",
  ),
});

import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { textOf } from "../../routes/arrival-search.ts";
import { loadSession } from "../../routes/require-session.ts";
import { rootRoute } from "../../routes/root-route.tsx";

interface LogOutSearch {
  /** The signed query of the request. */
  query: string;
}

const queryLengthMax = 16_384;

/** The page on which a user signs out because an application asks for it. */
export const logOutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/log-out",
  validateSearch: (search: Record<string, unknown>): LogOutSearch => ({
    query: textOf(search["query"], queryLengthMax) ?? "",
  }),
  beforeLoad: async (visit) => {
    const session = await loadSession(visit);
    if (!session || !isOffered(operations.oauth.confirmOauthLogout)) throw redirect({ to: "/" });
    return { session };
  },
  component: lazyRouteComponent(
    screenOf(() => import("./log-out-screen.tsx")),
    "LogOutScreen",
  ),
});

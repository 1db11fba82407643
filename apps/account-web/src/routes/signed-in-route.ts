import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { needTexts } from "../languages.ts";
import { isIncomplete, sessionQuery } from "../session/session-query.ts";
import { rootRoute } from "./root-route.tsx";

/** The parent of all screens for signed-in users. Everybody else signs in first and comes back. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const [session] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      needTexts("account"),
    ]);
    if (!session)
      throw redirect({
        to: "/sign-in",
        search: { redirect_to: `${pageFacts.webPath}${location.href}` },
      });
    // A guest has no account to show yet.
    if (session.user.isAnonymous)
      throw redirect({
        to: "/sign-up",
        search: { redirect_to: `${pageFacts.webPath}${location.href}` },
      });
    if (isIncomplete(session))
      throw redirect({
        to: "/complete-profile",
        search: { redirect_to: `${pageFacts.webPath}${location.href}` },
      });
  },
  component: lazyRouteComponent(
    screenOf(() => import("../shell/signed-in/signed-in-shell.tsx")),
    "SignedInShell",
  ),
});

import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { isIncomplete } from "../session/session-query.ts";
import { backTo, requireSession } from "./require-session.ts";
import { rootRoute } from "./root-route.tsx";

/** The parent of all screens for signed-in users. Everybody else signs in first and comes back. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: async (visit) => {
    const session = await requireSession(visit);
    const search = backTo(visit);
    // A guest has no account to show yet.
    if (session.user.isAnonymous) throw redirect({ to: "/sign-up", search });
    if (isIncomplete(session)) throw redirect({ to: "/complete-profile", search });
  },
  component: lazyRouteComponent(
    screenOf(() => import("../shell/signed-in/signed-in-shell.tsx")),
    "SignedInShell",
  ),
});

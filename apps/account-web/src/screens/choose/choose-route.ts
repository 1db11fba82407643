import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { needTexts } from "../../languages.ts";
import { arrivalSearch } from "../../routes/arrival-search.ts";
import { rootRoute } from "../../routes/root-route.tsx";

/** The page on which the user of this browser is chosen. It leads on to `redirect_to`, by the rules of every sign-in. */
export const chooseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/choose",
  validateSearch: arrivalSearch,
  beforeLoad: async ({ search: { redirect_to } }) => {
    if (!isOffered(operations.identity.listDeviceSessions))
      throw redirect({ to: "/sign-in", search: { redirect_to } });
    await needTexts("account");
  },
  component: lazyRouteComponent(
    screenOf(() => import("./choose-screen.tsx")),
    "ChooseScreen",
  ),
});

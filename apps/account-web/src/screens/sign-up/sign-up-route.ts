import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { entrySearch } from "../../routes/arrival-search.ts";
import { leadOn } from "../../routes/lead-on.ts";
import { rootRoute } from "../../routes/root-route.tsx";

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  validateSearch: entrySearch,
  beforeLoad: leadOn,
  component: lazyRouteComponent(
    screenOf(() => import("./sign-up-screen.tsx")),
    "SignUpScreen",
  ),
});

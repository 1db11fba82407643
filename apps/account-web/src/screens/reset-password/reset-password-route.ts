import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { type ArrivalSearch, arrivalSearch, textOf } from "../../routes/arrival-search.ts";
import { rootRoute } from "../../routes/root-route.tsx";

interface ResetSearch extends ArrivalSearch {
  /** The token of the mailed link. The page removes it from the address. */
  token?: string | undefined;
  /** Set if the link failed. */
  error?: string | undefined;
}

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset-password",
  validateSearch: (search: Record<string, unknown>): ResetSearch => ({
    ...arrivalSearch(search),
    token: textOf(search["token"], 1024),
    error: textOf(search["error"], 100),
  }),
  component: lazyRouteComponent(
    screenOf(() => import("./reset-password-screen.tsx")),
    "ResetPasswordScreen",
  ),
});

import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { needTexts } from "../../languages.ts";
import { type ArrivalSearch, arrivalSearch, textOf } from "../../routes/arrival-search.ts";
import { rootRoute } from "../../routes/root-route.tsx";

interface ErrorSearch extends ArrivalSearch {
  /** The code of the failure. Anyone can write it, so the page shows only texts of its own. */
  error?: string | undefined;
}

export const errorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/error",
  validateSearch: (search: Record<string, unknown>): ErrorSearch => ({
    ...arrivalSearch(search),
    error: textOf(search["error"], 100),
  }),
  loader: () => needTexts("account"),
  component: lazyRouteComponent(
    screenOf(() => import("./error-screen.tsx")),
    "ErrorScreen",
  ),
});

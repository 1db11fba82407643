import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { needTexts } from "../../languages.ts";
import { type ArrivalSearch, arrivalSearch, textOf } from "../../routes/arrival-search.ts";
import { rootRoute } from "../../routes/root-route.tsx";

interface ContinueSearch extends ArrivalSearch {
  /** Set if the sign-in waits for a second factor. */
  twoFactorRedirect?: string | undefined;
  twoFactorMethods?: string | undefined;
  twoFactorEnrolment?: string | undefined;
  error?: string | undefined;
}

/** The page to which a mailed link or a provider returns a browser. */
export const continueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/continue",
  validateSearch: (search: Record<string, unknown>): ContinueSearch => ({
    ...arrivalSearch(search),
    twoFactorRedirect: textOf(search["twoFactorRedirect"]),
    twoFactorMethods: textOf(search["twoFactorMethods"]),
    twoFactorEnrolment: textOf(search["twoFactorEnrolment"]),
    error: textOf(search["error"], 100),
  }),
  loader: () => needTexts("account"),
  component: lazyRouteComponent(
    screenOf(() => import("./continue-screen.tsx")),
    "ContinueScreen",
  ),
});

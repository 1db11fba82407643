import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { needTexts } from "../../languages.ts";
import { type ArrivalSearch, arrivalSearch, textOf } from "../../routes/arrival-search.ts";
import { rootRoute } from "../../routes/root-route.tsx";

interface OutcomeSearch extends ArrivalSearch {
  /** Set if the link failed. */
  error?: string | undefined;
  /** Set if a link has acted. */
  outcome?: "done" | undefined;
}

const validateSearch = (search: Record<string, unknown>): OutcomeSearch => ({
  ...arrivalSearch(search),
  error: textOf(search["error"], 100),
  outcome: search["outcome"] === "done" ? "done" : undefined,
});

/** The pages on which mailed links land, after they have acted or failed. */
export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/verify-email",
  validateSearch,
  loader: () => needTexts("account"),
  component: lazyRouteComponent(
    screenOf(() => import("./outcome-screens.tsx")),
    "VerifyEmailScreen",
  ),
});

export const changeEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/change-email",
  validateSearch,
  loader: () => needTexts("account"),
  component: lazyRouteComponent(
    screenOf(() => import("./outcome-screens.tsx")),
    "ChangeEmailScreen",
  ),
});

export const deleteAccountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/delete-account",
  validateSearch,
  loader: () => needTexts("account"),
  component: lazyRouteComponent(
    screenOf(() => import("./outcome-screens.tsx")),
    "DeleteAccountScreen",
  ),
});

/** The page of a mailed link that does not say what it was for. */
export const doneRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/done",
  validateSearch,
  loader: () => needTexts("account"),
  component: lazyRouteComponent(
    screenOf(() => import("./outcome-screens.tsx")),
    "DoneScreen",
  ),
});

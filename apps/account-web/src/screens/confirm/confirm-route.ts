import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { type ArrivalSearch, arrivalSearch } from "../../routes/arrival-search.ts";
import { loadSession } from "../../routes/require-session.ts";
import { rootRoute } from "../../routes/root-route.tsx";
import { addressOf } from "../../session/address-of.ts";

interface ConfirmSearch extends ArrivalSearch {
  /** The proof that the session lacks. */
  requires: "sign-in" | "second-factor";
  /** The user has signed in again instead, which proves the same. */
  outcome?: "done" | undefined;
}

/** Returns the page of a proof to which a new sign-in leads. */
export const provenAddress = (search: ConfirmSearch): string =>
  addressOf("/confirm", { ...search, outcome: "done" });

/** The page to which another web of this origin sends users for a proof of who they are. */
export const confirmRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/confirm",
  validateSearch: (search: Record<string, unknown>): ConfirmSearch => ({
    ...arrivalSearch(search),
    requires: search["requires"] === "second-factor" ? "second-factor" : "sign-in",
    outcome: search["outcome"] === "done" ? "done" : undefined,
  }),
  beforeLoad: async ({ context, search }) => {
    const session = await loadSession({ context });
    if (session) return { session };
    throw redirect({
      to: "/sign-in",
      search: { reason: "ended", redirect_to: provenAddress(search) },
    });
  },
  component: lazyRouteComponent(
    screenOf(() => import("./confirm-screen.tsx")),
    "ConfirmScreen",
  ),
});

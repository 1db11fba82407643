import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../routes/signed-in-route.ts";
import { type OrganizationTab, organizationTabs } from "./organization-tabs.ts";

interface OrganizationSearch {
  tab?: OrganizationTab | undefined;
}

export const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/organizations/$organizationId",
  validateSearch: (search: Record<string, unknown>): OrganizationSearch => ({
    tab: organizationTabs.find((known) => known === search["tab"]),
  }),
  component: lazyRouteComponent(
    screenOf(() => import("./organization-screen.tsx")),
    "OrganizationScreen",
  ),
});

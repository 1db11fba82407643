import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { organizationSearch } from "./organization-search.ts";

export const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/organizations/$organizationId",
  validateSearch: organizationSearch,
  component: lazyRouteComponent(() => import("./organization-screen.tsx"), "OrganizationScreen"),
});

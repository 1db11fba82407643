import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { organizationsSearch } from "./organizations-search.ts";

export const organizationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/organizations",
  validateSearch: organizationsSearch,
  component: lazyRouteComponent(() => import("./organizations-screen.tsx"), "OrganizationsScreen"),
});

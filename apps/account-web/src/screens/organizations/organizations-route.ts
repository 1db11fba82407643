import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../routes/signed-in-route.ts";

export const organizationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/organizations",
  component: lazyRouteComponent(() => import("./organizations-screen.tsx"), "OrganizationsScreen"),
});

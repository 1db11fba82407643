import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../routes/signed-in-route.ts";

export const securityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/security",
  component: lazyRouteComponent(() => import("./security-screen.tsx"), "SecurityScreen"),
});

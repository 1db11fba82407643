import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../routes/signed-in-route.ts";

export const sessionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sessions",
  component: lazyRouteComponent(() => import("./sessions-screen.tsx"), "SessionsScreen"),
});

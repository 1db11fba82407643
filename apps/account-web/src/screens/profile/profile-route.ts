import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../routes/signed-in-route.ts";

export const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./profile-screen.tsx"), "ProfileScreen"),
});

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../routes/signed-in-route.ts";

export const apiKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/api-keys",
  component: lazyRouteComponent(() => import("./api-keys-screen.tsx"), "APIKeysScreen"),
});

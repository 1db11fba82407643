import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";

export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/account",
  component: lazyRouteComponent(() => import("./account-screen.tsx"), "AccountScreen"),
});

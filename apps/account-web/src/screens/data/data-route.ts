import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../routes/signed-in-route.ts";

export const dataRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/data",
  component: lazyRouteComponent(() => import("./data-screen.tsx"), "DataScreen"),
});

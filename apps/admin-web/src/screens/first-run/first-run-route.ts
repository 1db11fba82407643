import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routes/root-route.tsx";

/** The target of the link that a new installation prints. */
export const firstRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/first-run",
  component: lazyRouteComponent(() => import("./first-run-screen.tsx"), "FirstRunScreen"),
});

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { z } from "zod";
import { rootRoute } from "../../routes/root-route.tsx";

/** Opened by the link that a new installation prints. */
export const firstRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/first-run",
  validateSearch: z.object({ token: z.string().max(255).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import("./first-run-screen.tsx"), "FirstRunScreen"),
});

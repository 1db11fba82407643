import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { queuesSearch } from "./queues-search.ts";

export const queuesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/queues",
  validateSearch: queuesSearch,
  component: lazyRouteComponent(() => import("./queues-screen.tsx"), "QueuesScreen"),
});

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { webhooksSearch } from "./webhooks-search.ts";

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/webhooks",
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(() => import("./webhooks-screen.tsx"), "WebhooksScreen"),
});

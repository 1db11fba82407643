import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { webhookSearch } from "./webhook-search.ts";

export const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/webhooks/$webhookId",
  validateSearch: webhookSearch,
  component: lazyRouteComponent(() => import("./webhook-screen.tsx"), "WebhookScreen"),
});

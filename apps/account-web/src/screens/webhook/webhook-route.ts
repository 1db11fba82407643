import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../routes/signed-in-route.ts";

export const webhookRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/organizations/$organizationId/webhooks/$webhookId",
  component: lazyRouteComponent(() => import("./webhook-screen.tsx"), "WebhookScreen"),
});

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routes/root-route.tsx";
import { sessionQuery } from "../../session/session-query.ts";

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/invitation/$id",
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(sessionQuery),
  component: lazyRouteComponent(() => import("./invitation-screen.tsx"), "InvitationScreen"),
});

import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { textOf } from "../../routes/arrival-search.ts";
import { rootRoute } from "../../routes/root-route.tsx";
import { rememberInvitation } from "../../session/opened-invitation.ts";
import { sessionQuery } from "../../session/session-query.ts";

interface InvitationSearch {
  /** The proof of the mailed link. The page removes it from the address. */
  proof?: string | undefined;
}

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/invitation/$id",
  validateSearch: (search: Record<string, unknown>): InvitationSearch => ({
    proof: textOf(search["proof"], 1024),
  }),
  beforeLoad: ({ search: { proof }, params }) => {
    if (proof === undefined) return;
    rememberInvitation({ id: params.id, proof });
    throw redirect({ to: "/invitation/$id", params, search: {}, replace: true });
  },
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(sessionQuery),
  component: lazyRouteComponent(
    screenOf(() => import("./invitation-screen.tsx")),
    "InvitationScreen",
  ),
});

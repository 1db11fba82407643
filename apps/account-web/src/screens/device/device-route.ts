import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { textOf } from "../../routes/arrival-search.ts";
import { requireSession } from "../../routes/require-session.ts";
import { rootRoute } from "../../routes/root-route.tsx";

interface DeviceSearch {
  /** The code that the device shows. */
  user_code?: string | undefined;
}

const codeLengthMax = 40;

/** The page on which a user lets a device sign in. An address with a code only fills it in, because anybody may have sent it. */
export const deviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/device",
  validateSearch: (search: Record<string, unknown>): DeviceSearch => ({
    user_code: textOf(search["user_code"], codeLengthMax),
  }),
  beforeLoad: async (visit) => {
    if (!isOffered(operations.oauth.approveDevice)) throw redirect({ to: "/" });
    return { session: await requireSession(visit) };
  },
  component: lazyRouteComponent(
    screenOf(() => import("./device-screen.tsx")),
    "DeviceScreen",
  ),
});

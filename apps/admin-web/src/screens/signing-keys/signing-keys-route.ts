import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { z } from "zod";
import { shellRoute } from "../../routes/shell-route.ts";

export const signingKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/signing-keys",
  /** Whether the dialog is open. */
  validateSearch: z.object({ rotate: z.enum(["1"]).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import("./signing-keys-screen.tsx"), "SigningKeysScreen"),
});

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import * as z from "zod/mini";
import { searchParam } from "../../components/search-param.ts";
import { shellRoute } from "../../routes/shell-route.ts";

export const signingKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/signing-keys",
  /** Whether the dialog is open. */
  validateSearch: z.object({ rotate: searchParam(z.enum(["1"])) }),
  component: lazyRouteComponent(() => import("./signing-keys-screen.tsx"), "SigningKeysScreen"),
});

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { oneOf, searchOf } from "../../components/search-param.ts";
import { shellRoute } from "../../routes/shell-route.ts";

export const signingKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/signing-keys",
  /** Whether the dialog is open. */
  validateSearch: searchOf({ rotate: oneOf("1") }),
  component: lazyRouteComponent(() => import("./signing-keys-screen.tsx"), "SigningKeysScreen"),
});

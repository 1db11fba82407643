import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { apiKeysSearch } from "./api-keys-search.ts";

export const apiKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/api-keys",
  validateSearch: apiKeysSearch,
  component: lazyRouteComponent(() => import("./api-keys-screen.tsx"), "ApiKeysScreen"),
});

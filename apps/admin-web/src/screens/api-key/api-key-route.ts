import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { apiKeySearch } from "./api-key-search.ts";

export const apiKeyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/api-keys/$keyId",
  validateSearch: apiKeySearch,
  component: lazyRouteComponent(() => import("./api-key-screen.tsx"), "ApiKeyScreen"),
});

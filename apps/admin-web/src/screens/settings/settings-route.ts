import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { settingsSearch } from "./settings-search.ts";

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings",
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import("./settings-screen.tsx"), "SettingsScreen"),
});

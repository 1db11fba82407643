import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { usersSearch } from "./users-search.ts";

export const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/users",
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import("./users-screen.tsx"), "UsersScreen"),
});

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { prefetch, readOf } from "../../access/prefetch.ts";
import { optionsQuery } from "../../components/options-query.ts";
import { shellRoute } from "../../routes/shell-route.ts";
import { usersQuery, withUsualSort } from "./users-query.ts";
import { usersSearch } from "./users-search.ts";

export const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/users",
  validateSearch: usersSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    prefetch(queryClient, [
      readOf(usersQuery(withUsualSort(deps)), "user:list"),
      readOf(optionsQuery, "settings:read"),
    ]),
  component: lazyRouteComponent(() => import("./users-screen.tsx"), "UsersScreen"),
});

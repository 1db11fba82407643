import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { prefetch, readOf } from "../../access/prefetch.ts";
import { optionsQuery } from "../../components/options-query.ts";
import { shellRoute } from "../../routes/shell-route.ts";
import { userList } from "./user-list.ts";
import { usersSearch } from "./users-search.ts";

export const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/users",
  validateSearch: usersSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    prefetch(queryClient, [
      readOf(userList.query(deps), "user:list"),
      readOf(optionsQuery, "settings:read"),
    ]),
  component: lazyRouteComponent(
    screenOf(() => import("./users-screen.tsx")),
    "UsersScreen",
  ),
});

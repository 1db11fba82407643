import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { prefetch } from "../../access/prefetch.ts";
import { shellRoute } from "../../routes/shell-route.ts";
import { concernReads } from "./home-reads.ts";
import { homeSearch } from "./home-search.ts";

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: homeSearch,
  loader: ({ context: { queryClient } }) => prefetch(queryClient, Object.values(concernReads)),
  component: lazyRouteComponent(() => import("./home-screen.tsx"), "HomeScreen"),
});

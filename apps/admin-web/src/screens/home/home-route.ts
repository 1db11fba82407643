import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { homeSearch } from "./home-search.ts";

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: homeSearch,
  component: lazyRouteComponent(() => import("./home-screen.tsx"), "HomeScreen"),
});

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { userSearch } from "./user-search.ts";

export const userRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/users/$userId",
  validateSearch: userSearch,
  component: lazyRouteComponent(() => import("./user-screen.tsx"), "UserScreen"),
});

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { mailSearch } from "./mail-search.ts";

export const mailRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/mail",
  validateSearch: mailSearch,
  component: lazyRouteComponent(() => import("./mail-screen.tsx"), "MailScreen"),
});

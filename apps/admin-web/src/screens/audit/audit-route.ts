import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../routes/shell-route.ts";
import { auditSearch } from "./audit-search.ts";

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./audit-screen.tsx"), "AuditScreen"),
});

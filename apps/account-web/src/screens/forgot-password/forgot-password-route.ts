import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { arrivalSearch } from "../../routes/arrival-search.ts";
import { rootRoute } from "../../routes/root-route.tsx";

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/forgot-password",
  validateSearch: arrivalSearch,
  component: lazyRouteComponent(
    () => import("./forgot-password-screen.tsx"),
    "ForgotPasswordScreen",
  ),
});

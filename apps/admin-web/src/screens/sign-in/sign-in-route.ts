import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { refusalOf } from "../../access/access.ts";
import { accessQuery } from "../../access/access-query.ts";
import { placeOf } from "../../routes/place-of.ts";
import { rootRoute } from "../../routes/root-route.tsx";
import { signInSearch } from "./sign-in-search.ts";

/** Redirects users who are already signed in as an admin. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: signInSearch,
  beforeLoad: async ({ context: { queryClient }, search }) => {
    const access = await queryClient.ensureQueryData(accessQuery);
    if (refusalOf(access) === undefined) throw redirect(placeOf(search.redirect ?? "/"));
  },
  component: lazyRouteComponent(() => import("./sign-in-screen.tsx"), "SignInScreen"),
});

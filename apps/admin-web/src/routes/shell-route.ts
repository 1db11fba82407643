import { createRoute, redirect } from "@tanstack/react-router";
import { refusalOf } from "../access/access.ts";
import { accessQuery } from "../access/access-query.ts";
import { keepOnlyOf } from "../components/kept/kept-values.ts";
import { NotFound } from "../shell/not-found.tsx";
import { ScreenError } from "../shell/screen-error.tsx";
import { Shell } from "../shell/shell.tsx";
import { rootRoute } from "./root-route.tsx";

/** The frame around every screen. Sends visitors who are not signed in as an admin to the sign-in page, which leads back here. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const access = await queryClient.ensureQueryData(accessQuery);
    const refusal = refusalOf(access);
    if (access && refusal === undefined) {
      keepOnlyOf(access.user.id);
      return;
    }
    const asked = location.href === "/" ? undefined : location.href;
    throw redirect({ to: "/sign-in", search: { redirect: asked } });
  },
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
});

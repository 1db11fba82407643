import { placeOf } from "@latchkey/ui/search-text.ts";
import { createRoute, redirect } from "@tanstack/react-router";
import { refusalOf } from "../access/access.ts";
import { accessQuery } from "../access/access-query.ts";
import { signInAddress } from "../access/account-web.ts";
import { keepOnlyOf } from "../components/kept/kept-values.ts";
import { takeResumedState } from "../components/kept/resumed-place.ts";
import { ScreenNotFound } from "../shell/not-found.tsx";
import { ScreenError } from "../shell/screen-error.tsx";
import { Shell } from "../shell/shell.tsx";
import { rootRoute } from "./root-route.tsx";

/** The frame around every screen. Sends visitors who are not signed in to the account web, which leads back here. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: async ({ context: { queryClient }, location, preload }) => {
    const access = await queryClient.ensureQueryData(accessQuery);
    if (preload) return;
    if (access === null) {
      window.location.replace(signInAddress(location.href));
      // The page is about to be replaced, so nothing is shown in the meantime.
      await new Promise<never>(() => {});
    } else if (refusalOf(access) === undefined) {
      keepOnlyOf(access.user.id);
      const state = takeResumedState(location.href);
      if (state) throw redirect({ ...placeOf(location.href), state, replace: true });
    }
  },
  component: Shell,
  notFoundComponent: ScreenNotFound,
  errorComponent: ScreenError,
});

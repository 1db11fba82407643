import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { ConnectionNotice } from "../shell/connection-notice.tsx";
import { LoadFailureNotice } from "../shell/load-failure-notice.tsx";
import { NotFound } from "../shell/not-found.tsx";
import { ScreenError } from "../shell/screen-error.tsx";

export interface RouterContext {
  readonly queryClient: QueryClient;
}

/** Everything that is rendered on every page. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <>
      <Outlet />
      <ConnectionNotice />
      <LoadFailureNotice />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
});

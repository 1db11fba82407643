import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { NotFound } from "../shell/not-found.tsx";
import { OfflineNotice } from "../shell/offline-notice.tsx";
import { ScreenError } from "../shell/screen-error.tsx";

export interface RouterContext {
  readonly queryClient: QueryClient;
}

/** Everything that is rendered on every page. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <>
      <OfflineNotice />
      <Outlet />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
});

import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet, retainSearchParams } from "@tanstack/react-router";
import { CardPage } from "../components/card-page.tsx";
import { NextStep } from "../components/next-step.tsx";
import { useTranslation } from "../languages.ts";
import { OfflineNotice } from "../shell/offline-notice.tsx";
import { ScreenError } from "../shell/screen-error.tsx";

export interface RouterContext {
  readonly queryClient: QueryClient;
}

/** Shown for an address that has no page. */
const NotFound = () => {
  const t = useTranslation("errors");
  return (
    <CardPage outcome="failed" title={t("pages.notFound.title")} lead={t("pages.notFound.text")}>
      <NextStep />
    </CardPage>
  );
};

interface RootSearch {
  /** The pages act in the admin's own session, also while this browser impersonates a user (ADR 78). Then all of them do. */
  session?: "own" | undefined;
}

/** Everything that is rendered on every page. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  validateSearch: ({ session }: Readonly<Record<string, unknown>>): RootSearch =>
    session === "own" ? { session } : {},
  search: { middlewares: [retainSearchParams(["session"])] },
  component: () => (
    <>
      <OfflineNotice />
      <Outlet />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
});

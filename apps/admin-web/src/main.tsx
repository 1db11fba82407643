import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { accessQuery } from "./access/access-query.ts";
import { adoptEarlyReads } from "./access/early-reads.ts";
import { followTabs } from "./access/tabs-in-step.ts";
import { errorTexts, toastError } from "./api/explain.ts";
import { createQueryClient } from "@latchkey/ui/api/create-query-client.ts";
import { reportCaughtError } from "@latchkey/ui/components/is-load-failure.ts";
import { Toaster } from "@latchkey/ui/components/toaster.tsx";
import { Tooltips } from "@latchkey/ui/components/tooltips.tsx";
import { ErrorTexts } from "@latchkey/ui/errors/explain-error.ts";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { createRouter } from "./routes/router.tsx";
import { forgetUser } from "./shell/forget-user.ts";
import { applyTheme } from "@latchkey/ui/theme/theme.ts";

applyTheme();
const queryClient = createQueryClient({ access: accessQuery.queryKey, reportError: toastError });
const router = createRouter({ queryClient, basepath: pageFacts.webPath });
adoptEarlyReads(queryClient);
// Loads the screen while its access is being read. A failure shows when the screen is rendered.
const [matched] = router.getMatchedRoutes(router.latestLocation.pathname);
for (const route of matched) router.loadRouteChunk(route)?.catch(() => {});

const root = document.getElementById("root");
if (!root) throw new TypeError("the page has no root element");

const rendered = createRoot(root, { onCaughtError: reportCaughtError });
followTabs({
  client: queryClient,
  blank: () => rendered.unmount(),
  forget: () => forgetUser(queryClient),
});
rendered.render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <ErrorTexts value={errorTexts}>
          <RouterProvider router={router} />
        </ErrorTexts>
        <Toaster />
        <Tooltips />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);

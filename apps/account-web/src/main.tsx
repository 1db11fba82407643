import "./styles.css";
import { createQueryClient } from "@latchkey/ui/api/create-query-client.ts";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { applyTheme } from "@latchkey/ui/theme/theme.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { requireCaptcha } from "./captcha/require-captcha.ts";
import { facts } from "./facts.ts";
import { startLanguages } from "./languages/i18n.ts";
import { createRouter } from "./routes/router.ts";
import { reloadKeptPage } from "./session/reload-kept-page.ts";
import { sessionQuery } from "./session/session-query.ts";

applyTheme();
reloadKeptPage();
if (facts.captcha) requireCaptcha(facts.captcha);
// The policy forbids style attributes in the page's source, but not styles that scripts set.
const { style } = document.documentElement;
style.setProperty("--brand-light", facts.branding.color);
style.setProperty("--brand-dark", facts.branding.darkColor);

const queryClient = createQueryClient(sessionQuery.queryKey);
const router = createRouter({ queryClient, basepath: pageFacts.webPath });
void queryClient.prefetchQuery(sessionQuery);
// Loads the screen while its session and language are being read. A failure shows when the screen is rendered.
const [matched] = router.getMatchedRoutes(router.latestLocation.pathname);
for (const route of matched) router.loadRouteChunk(route)?.catch(() => {});

const root = document.getElementById("root");
if (!root) throw new TypeError("the page has no root element");

await startLanguages();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

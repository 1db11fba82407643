import "./styles.css";
import { addHeaders } from "@latchkey/ui/api/call.ts";
import { createQueryClient } from "@latchkey/ui/api/create-query-client.ts";
import { reportCaughtError } from "@latchkey/ui/components/is-load-failure.ts";
import { ErrorTexts } from "@latchkey/ui/errors/explain-error.ts";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { applyTheme } from "@latchkey/ui/theme/theme.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { CaptchaFacts } from "./captcha/captcha-facts.ts";
import { facts } from "./facts.ts";
import { errorTexts, startLanguages } from "./languages.ts";
import { createRouter } from "./routes/router.ts";
import { sessionQuery } from "./session/session-query.ts";

/**
 * Loads a page anew that the browser kept in memory when it was left, and shows again after "Back". It may show the data of a user who has
 * signed out since, or wait for a provider that the user has left.
 */
const reloadKeptPage = (): void =>
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) window.location.reload();
  });

/** Makes each call that requires a captcha ask for it first. The call fails if the user does not solve it. */
const requireCaptcha = (captcha: CaptchaFacts): void => {
  const covered = new Set(captcha.paths);
  addHeaders(async ({ path }) => {
    if (!covered.has(path)) return {};
    const { requestCaptcha } = await import("./captcha/ask-for-captcha.tsx");
    return { "x-captcha-response": await requestCaptcha(captcha) };
  });
};

applyTheme();
reloadKeptPage();
if (facts.captcha) requireCaptcha(facts.captcha);

const queryClient = createQueryClient({ access: sessionQuery.queryKey, showsAccess: true });
const router = createRouter({ queryClient, basepath: pageFacts.webPath });
void queryClient.prefetchQuery(sessionQuery);
// Loads the screen while its session and language are being read. A failure shows when the screen is rendered.
const [matched] = router.getMatchedRoutes(router.latestLocation.pathname);
for (const route of matched) router.loadRouteChunk(route)?.catch(() => {});

const root = document.getElementById("root");
if (!root) throw new TypeError("the page has no root element");

/** Not at the top level, because screens import from this file, which must have ended by then. */
const show = async (page: Element): Promise<void> => {
  // The outline of a screen stays until the screen can take its place.
  if (page.childElementCount > 0) await router.load();
  createRoot(page, { onCaughtError: reportCaughtError }).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ErrorTexts value={errorTexts}>
          <RouterProvider router={router} />
        </ErrorTexts>
      </QueryClientProvider>
    </StrictMode>,
  );
};

await startLanguages();
void show(root);

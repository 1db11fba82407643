import type { ReactNode } from "react";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { t } from "../texts.ts";

/** The layout of pages outside the shell, such as sign-in: one centred column. */
export const FrontPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="flex min-h-dvh items-center justify-center p-4">
    <title>{t("shell.documentTitle", { title, app: pageFacts.appName })}</title>
    <div className="flex w-full max-w-[25rem] flex-col gap-6 rounded-lg border bg-surface px-6 py-8 shadow-md sm:px-10">
      <div>
        <p className="mb-1 text-muted">{t("shell.adminOf", { app: pageFacts.appName })}</p>
        <h1 className="text-xl font-semibold">{title}</h1>
      </div>
      {children}
    </div>
  </main>
);

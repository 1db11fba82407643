import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { t } from "../texts.ts";

interface Crumb {
  readonly label: string;
  readonly to: string;
}

interface PageProps {
  /** The heading and the title of the browser tab. */
  title: string;
  /** The breadcrumbs above this screen. */
  trail?: readonly Crumb[] | undefined;
  /** Badges or buttons next to the heading. */
  aside?: ReactNode;
  /** Says below the heading what the screen shows. */
  lead?: ReactNode;
  children: ReactNode;
}

const noTrail: readonly Crumb[] = [];

/** The way to a screen below another one. */
const Breadcrumbs = ({ trail, title }: { trail: readonly Crumb[]; title: string }) => (
  <nav aria-label={t("shell.breadcrumbs")} className="text-sm text-muted">
    <ol className="flex items-center gap-1">
      {trail.map(({ label, to }) => (
        <li key={to} className="flex items-center gap-1">
          <Link
            to={to}
            className="inline-flex items-center rounded-sm underline-offset-2 hover:text-ink hover:underline max-sm:min-h-10"
          >
            {label}
          </Link>
          <ChevronRight aria-hidden="true" className="size-3.5 rtl:-scale-x-100" />
        </li>
      ))}
      <li aria-current="page" className="max-w-80 truncate">
        {title}
      </li>
    </ol>
  </nav>
);

/** The frame of a screen: breadcrumbs below another screen, heading and content. */
export const Page = ({ title, trail = noTrail, aside, lead, children }: PageProps) => (
  <div className="flex min-h-full flex-1 flex-col gap-5 p-4 sm:p-6">
    <title>{t("shell.documentTitle", { title, app: pageFacts.appName })}</title>
    <header className="flex shrink-0 flex-col gap-1">
      {trail.length > 0 && <Breadcrumbs trail={trail} title={title} />}
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-3">
        <h1 title={title} className="line-clamp-2 min-w-0 text-xl font-semibold break-words">
          <bdi>{title}</bdi>
        </h1>
        {aside && <div className="flex flex-wrap items-center gap-2">{aside}</div>}
      </div>
      {lead && <p className="max-w-prose text-pretty text-muted">{lead}</p>}
    </header>
    {children}
  </div>
);

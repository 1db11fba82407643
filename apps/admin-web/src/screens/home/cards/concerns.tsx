import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Link } from "@tanstack/react-router";
import { OctagonAlert, TriangleAlert } from "lucide-react";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { explain } from "../../../api/explain.ts";
import type { ReadFindings } from "../use-findings.ts";
import { type Concern, concernsOf } from "./concerns-of.ts";
import { t } from "../../../texts.ts";

const Title = ({ title, to, search }: Concern) => {
  if (to === undefined) return title;
  // The cast is needed because the concern names any screen.
  const way = { to, search: search ?? {} } as unknown as { to: "/" };
  return (
    <Link {...way} className="rounded-sm underline underline-offset-2">
      {title}
    </Link>
  );
};

const ConcernItem = ({ concern }: { concern: Concern }) => {
  const Sign = concern.isGrave ? OctagonAlert : TriangleAlert;
  return (
    <li className="flex min-w-0 gap-2.5">
      <Sign aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      <div className="min-w-0">
        <p className="font-medium break-words">
          {concern.isGrave && <span className="sr-only">{t("home.urgent")} </span>}
          <Title {...concern} />
        </p>
        <p className="break-words text-muted">
          <bdi>{concern.advice}</bdi>
        </p>
      </div>
    </li>
  );
};

/** Shows the problems to look at and what to do about each. Renders nothing if there are none. */
export const Concerns = ({ findings, errors, retry }: ReadFindings) => {
  const concerns = concernsOf(findings, useNow());
  if (concerns.length === 0 && errors.length === 0) return null;
  return (
    <Card title={t("home.needsAttention")}>
      {concerns.length > 0 && (
        <ul
          aria-label={t("home.whatNeedsAttention")}
          className="grid gap-x-8 gap-y-3 lg:grid-cols-2 2xl:grid-cols-3"
        >
          {concerns.map((concern) => (
            <ConcernItem key={concern.title} concern={concern} />
          ))}
        </ul>
      )}
      {errors.length > 0 && (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-2 border-t pt-3">
          <p className="min-w-0 break-words text-muted">
            {t("home.checksFailed")} {explain(errors[0]).message}
          </p>
          <Button size="small" onClick={retry}>
            {t("common.retry")}
          </Button>
        </div>
      )}
    </Card>
  );
};

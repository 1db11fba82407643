import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { lastDays, rangeFault } from "@latchkey/ui/components/day-range.ts";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { AuditLink } from "../../components/audit/audit-link.tsx";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { type Reading, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Page } from "../../components/page.tsx";
import type { Webhook } from "../../components/webhooks/webhook.ts";
import { stateNotice } from "../../components/webhooks/webhook-state.ts";
import { WebhookStateBadge } from "../../components/webhooks/webhook-state-badge.tsx";
import { Deliveries } from "./deliveries.tsx";
import { daysMax, Figures } from "./figures.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookFacts } from "./webhook-facts.tsx";

const route = getRouteApi("/shell/webhooks/$webhookId");
const trail = [{ label: "Webhooks", to: "/webhooks" }];
const daysShown = 30;
const againMs = 10_000;

/** Returns the days in the address, or the last 30. */
const useRange = () => {
  const { from, to } = route.useSearch();
  const recent = lastDays(daysShown, useNow());
  const asked = { from: from ?? recent.from, to: to ?? recent.to };
  return rangeFault(asked, daysMax) === undefined ? asked : recent;
};

const Overview = ({ webhook }: { webhook: Webhook }) => (
  <div className="flex flex-col gap-4">
    <WebhookFacts webhook={webhook} />
    <Figures webhookId={webhook.id} range={useRange()} />
  </div>
);

const Shown = ({ webhook, reading }: { webhook: Webhook; reading: Reading }) => {
  const navigate = useNavigate();
  const { tab } = route.useSearch();
  const notice = stateNotice(webhook);
  return (
    <Page
      title={webhook.url}
      trail={trail}
      aside={
        <>
          <WebhookStateBadge webhook={webhook} />
          <AuditLink subjectId={webhook.id} />
          <WebhookActions webhook={webhook} />
        </>
      }
    >
      <StaleNotice reading={reading} />
      {notice !== undefined && <Notice tone="warning">{notice}</Notice>}
      <Tabs
        label="Parts of this webhook"
        value={tab ?? "overview"}
        onChange={(value) =>
          void navigate({
            to: ".",
            search: { tab: value === "deliveries" || value === "json" ? value : undefined },
          })
        }
        tabs={[
          { value: "overview", label: "Overview", content: <Overview webhook={webhook} /> },
          { value: "deliveries", label: "Deliveries", content: <Deliveries webhook={webhook} /> },
          {
            value: "json",
            label: "JSON",
            content: <JsonView label="this webhook as JSON" value={webhook} />,
          },
        ]}
      />
    </Page>
  );
};

/** Shows one webhook: its settings, its figures and its deliveries. */
export const WebhookScreen = () => {
  const { webhookId } = route.useParams();
  const reading = useQuery({
    ...operationQuery(operations.webhooks.adminGetWebhook, { params: { id: webhookId } }),
    // Its state changes by itself when deliveries fail or succeed.
    refetchInterval: againEvery(againMs),
  });
  const { data, error, refetch } = reading;
  if (data) return <Shown webhook={data} reading={reading} />;
  return (
    <Page title="Webhook" trail={trail}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Skeleton className="h-9 w-full" />
          <div className="grid gap-4 lg:grid-cols-2">
            <Skeleton className="h-64" />
            <Skeleton className="h-64" />
          </div>
          <Skeleton className="h-96" />
        </>
      )}
    </Page>
  );
};

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Page } from "../../components/page.tsx";
import { lastDays, rangeFault } from "@latchkey/ui/components/day-range.ts";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { type Reading, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { keyName } from "../../components/api-keys/key-name.ts";
import { KeyStateBadge } from "../../components/api-keys/key-state-badge.tsx";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { AuditLink } from "../../components/audit/audit-link.tsx";
import { KeyActions } from "./key-actions.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { RetiredNotice } from "./retired-notice.tsx";
import { Usage } from "./usage.tsx";

const route = getRouteApi("/shell/api-keys/$keyId");
const trail = [{ label: "API keys", to: "/api-keys" }];
const daysMax = 366;

/** Returns the days in the address, or the last 30. */
const useRange = () => {
  const { from, to } = route.useSearch();
  const recent = lastDays(30, useNow());
  const asked = { from: from ?? recent.from, to: to ?? recent.to };
  return rangeFault(asked, daysMax) === undefined ? asked : recent;
};

const Shown = ({ apiKey, reading }: { apiKey: ApiKey; reading: Reading }) => {
  const navigate = useNavigate();
  const { tab, ...days } = route.useSearch();
  const range = useRange();
  return (
    <Page
      title={keyName(apiKey)}
      trail={trail}
      aside={
        <>
          <KeyStateBadge apiKey={apiKey} />
          <AuditLink subjectId={apiKey.id} />
          <KeyActions apiKey={apiKey} />
        </>
      }
    >
      <StaleNotice reading={reading} />
      <RetiredNotice apiKey={apiKey} />
      <Tabs
        label={`Parts of ${keyName(apiKey)}`}
        value={tab ?? "usage"}
        onChange={(value) =>
          void navigate({
            to: ".",
            search: { ...days, tab: value === "json" ? value : undefined },
          })
        }
        tabs={[
          {
            value: "usage",
            label: "Overview",
            content: (
              <div className="flex flex-col gap-4">
                <KeyFacts apiKey={apiKey} />
                <Usage keyId={apiKey.id} range={range} />
              </div>
            ),
          },
          {
            value: "json",
            label: "JSON",
            content: <JsonView label={`${keyName(apiKey)} as JSON`} value={apiKey} />,
          },
        ]}
      />
    </Page>
  );
};

/** Shows one key: its owner, its permissions and limits, and its usage. */
export const ApiKeyScreen = () => {
  const { keyId } = route.useParams();
  const reading = useQuery(
    operationQuery(operations.apikey.adminGetApiKey, { params: { id: keyId } }),
  );
  const { data, error, refetch } = reading;
  if (data) return <Shown apiKey={data} reading={reading} />;
  return (
    <Page title="API key" trail={trail}>
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

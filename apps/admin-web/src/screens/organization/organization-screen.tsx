import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { Page } from "../../components/page.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { AuditLink } from "../../components/audit/audit-link.tsx";
import { OwnedKeys } from "../../components/api-keys/owned-keys.tsx";
import { useOrganizationKeys } from "../../components/api-keys/use-organization-keys.ts";
import { countText } from "./count-text.ts";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";
import { type OrganizationSearch, organizationTabs } from "./organization-search.ts";
import { Settings } from "./settings.tsx";
import { Teams } from "./teams.tsx";
import { type Organization, useOrganization } from "./use-organization.ts";

const route = getRouteApi("/shell/organizations/$organizationId");
const trail = [{ label: "Organizations", to: "/organizations" }];

const keysOf = (organization: Organization, search: OrganizationSearch) => ({
  value: "api-keys",
  label: "API keys",
  content: (
    <OwnedKeys
      owner={{ organizationId: organization.id }}
      name="organization-api-keys"
      search={search}
      emptyText="Members create keys in your application, and admins create them here."
    />
  ),
});

const tabsOf = (organization: Organization, search: OrganizationSearch, showsKeys: boolean) => {
  const { memberCount, invitationCount, teamCount } = organization;
  return [
    {
      value: "members",
      label: `Members (${countText(memberCount)})`,
      content: <Members organization={organization} search={search} />,
    },
    {
      value: "invitations",
      label: `Invitations (${countText(invitationCount)})`,
      content: <Invitations organization={organization} />,
    },
    {
      value: "teams",
      label: teamCount === null ? "Teams" : `Teams (${countText(teamCount)})`,
      content: <Teams organization={organization} />,
    },
    ...(showsKeys ? [keysOf(organization, search)] : []),
    {
      value: "settings",
      label: "Settings",
      content: <Settings key={organization.id} organization={organization} />,
    },
    {
      value: "json",
      label: "JSON",
      content: <JsonView label={`${organization.name} as JSON`} value={organization} />,
    },
  ];
};

/** Shows the id and the other identifying data of an organization. */
const Marks = ({ organization }: { organization: Organization }) => (
  <div className="flex flex-wrap items-center gap-x-6 gap-y-1 text-muted">
    <span className="inline-flex min-w-0 items-center gap-2">
      Slug
      <bdi className="max-w-60 truncate text-ink" title={organization.slug}>
        {organization.slug}
      </bdi>
    </span>
    <span className="inline-flex min-w-0 items-center gap-2">
      ID <CopyId id={organization.id} of={organization.name} />
    </span>
    <span>
      Created <RelativeTime at={organization.createdAt} />
    </span>
  </div>
);

/** Shows an organization and its members, teams, invitations, API keys and settings. */
export const OrganizationScreen = () => {
  const { organizationId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const organization = useOrganization(organizationId);
  const { may } = useAccess();
  const showsKeys = useOrganizationKeys() && may("apiKey:list");
  const { data, error, refetch } = organization;
  if (error && !data)
    return (
      <Page title="Organization" trail={trail}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data)
    return (
      <Page title="Organization" trail={trail}>
        <Skeleton className="h-5 w-96 max-w-full" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-80 w-full" />
      </Page>
    );
  return (
    <Page title={data.name} trail={trail} aside={<AuditLink subjectId={data.id} />}>
      <StaleNotice reading={organization} />
      <Marks organization={data} />
      <Tabs
        label={`Parts of ${data.name}`}
        value={search.tab ?? "members"}
        onChange={(value) => {
          const tab = organizationTabs.find((known) => known === value);
          void navigate({ to: ".", search: { tab: tab === "members" ? undefined : tab } });
        }}
        tabs={tabsOf(data, search, showsKeys)}
      />
    </Page>
  );
};

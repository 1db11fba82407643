import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Page } from "../../components/page.tsx";
import { CopyId } from "../../components/ui/copy-id.tsx";
import { ErrorState } from "../../components/ui/error-state.tsx";
import { JsonView } from "../../components/ui/json-view.tsx";
import { RelativeTime } from "../../components/ui/relative-time.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Tabs } from "../../components/ui/tabs.tsx";
import { AuditLink } from "../audit-link.tsx";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";
import { type OrganizationSearch, organizationTabs } from "./organization-search.ts";
import { Settings } from "./settings.tsx";
import { Teams } from "./teams.tsx";
import { type Organization, useOrganization } from "./use-organization.ts";

const route = getRouteApi("/shell/organizations/$organizationId");
const trail = [{ label: "Organizations", to: "/organizations" }];

const tabsOf = (organization: Organization, search: OrganizationSearch) => {
  const { members, invitations, teams } = organization;
  return [
    {
      value: "members",
      label: `Members (${members.length})`,
      content: <Members organization={organization} search={search} />,
    },
    {
      value: "invitations",
      label: `Invitations (${invitations.length})`,
      content: <Invitations organization={organization} />,
    },
    {
      value: "teams",
      label: teams === null ? "Teams" : `Teams (${teams.length})`,
      content: <Teams organization={organization} />,
    },
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

/** What tells an organization from others. */
const Marks = ({ organization }: { organization: Organization }) => (
  <div className="flex flex-wrap items-center gap-x-6 gap-y-1 text-muted">
    <span className="inline-flex min-w-0 items-center gap-2">
      Slug
      <bdi className="max-w-60 truncate text-ink" title={organization.slug}>
        {organization.slug}
      </bdi>
    </span>
    <span className="inline-flex min-w-0 items-center gap-2">
      Id <CopyId id={organization.id} of={organization.name} />
    </span>
    <span>
      Created <RelativeTime at={organization.createdAt} />
    </span>
  </div>
);

/** One organization and all that is in it. */
export const OrganizationScreen = () => {
  const { organizationId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { data, error, refetch } = useOrganization(organizationId);
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
      <Marks organization={data} />
      <Tabs
        label={`Parts of ${data.name}`}
        value={search.tab ?? "members"}
        onChange={(value) => {
          const tab = organizationTabs.find((known) => known === value);
          void navigate({ to: ".", search: { tab: tab === "members" ? undefined : tab } });
        }}
        tabs={tabsOf(data, search)}
      />
    </Page>
  );
};

import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { Plus } from "lucide-react";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Table, type TableColumn, TableRow } from "@latchkey/ui/components/table.tsx";
import { useAccess } from "../../access/use-access.ts";
import { Detail } from "../../components/detail.tsx";
import { Page } from "../../components/page.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { AuditLink } from "../../components/audit/audit-link.tsx";
import { OwnedKeys } from "../../components/api-keys/owned-keys.tsx";
import { useOrganizationKeys } from "../../components/api-keys/use-organization-keys.ts";
import { countText } from "./count-text.ts";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";
import { type OrganizationSearch, organizationTabs } from "./organization-search.ts";
import { Roles } from "./roles.tsx";
import { Settings } from "./settings.tsx";
import { type Organization, useOrganization, type Team } from "./use-organization.ts";
import { CutNotice } from "./cut-notice.tsx";
import { TeamForm } from "./team-form.tsx";
import { TeamMenu } from "./team-menu.tsx";
import { t } from "../../texts.ts";

const columns: readonly TableColumn[] = [
  t("teams.team"),
  { name: t("organizations.members"), priority: "high" },
  { name: t("common.created"), priority: "medium" },
  { name: t("common.updated"), priority: "low" },
  { name: t("common.id"), priority: "low" },
];
const changeableColumns: readonly TableColumn[] = [...columns, t("common.actions")];

const CreateTeamButton = ({ organizationId }: { organizationId: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="primary" onClick={() => setIsOpen(true)}>
        <Plus />
        {t("teams.create")}
      </Button>
      {isOpen && (
        <TeamForm
          operation={operations.organization.adminCreateTeam}
          inputOf={({ name, fields }) => ({
            params: { id: organizationId },
            body: { ...fields, name },
          })}
          title={t("teams.create")}
          action={t("teams.create")}
          done={(name) => t("common.createdOne", { name })}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
};

const TeamTable = ({ teams, mayChange }: { teams: readonly Team[]; mayChange: boolean }) => (
  <div className="rounded-lg border bg-surface">
    <Table label={t("teams.list")} columns={mayChange ? changeableColumns : columns}>
      {teams.map((team) => (
        <TableRow
          key={team.id}
          cells={{
            name: (
              <bdi className="block max-w-96 truncate font-medium" title={team.name}>
                {team.name}
              </bdi>
            ),
            members: countText(team.memberCount),
            created: <RelativeTime at={team.createdAt} isStacked />,
            changed: <RelativeTime at={team.updatedAt} isStacked />,
            id: <CopyId id={team.id} of={team.name} hidesId />,
            ...(mayChange && { actions: <TeamMenu team={team} /> }),
          }}
        />
      ))}
    </Table>
  </div>
);

/** Lists the teams of an organization, and creates and changes them. */
const Teams = ({ organization: { id, teams, teamCount } }: { organization: Organization }) => {
  const { may } = useAccess();
  const mayChange = may("organization:update");
  if (teams === null) return <EmptyState title={t("teams.off")}>{t("teams.offText")}</EmptyState>;
  return (
    <>
      {mayChange && (
        <div className="mb-3 flex justify-end">
          <CreateTeamButton organizationId={id} />
        </div>
      )}
      <CutNotice part="teams.cut" shown={teams.length} count={teamCount ?? 0} />
      {teams.length === 0 ? (
        <EmptyState title={t("teams.none")}>
          {mayChange ? t("teams.noneTextCreate") : t("teams.noneText")}
        </EmptyState>
      ) : (
        <TeamTable teams={teams} mayChange={mayChange} />
      )}
    </>
  );
};

const route = getRouteApi("/shell/organizations/$organizationId");
const trail = [{ label: t("screens.organizations"), to: "/organizations" }];

const keysOf = (organization: Organization, search: OrganizationSearch) => ({
  value: "api-keys",
  label: t("screens.apiKeys"),
  content: (
    <OwnedKeys
      owner={{ organizationId: organization.id }}
      name="organization-api-keys"
      search={search}
      emptyText={t("organization.noKeys")}
    />
  ),
});

const rolesOf = (organizationId: string, roles: NonNullable<Organization["roles"]>) => ({
  value: "roles",
  label: t("organization.tabs.roles", { count: countText(roles.length) }),
  content: <Roles organizationId={organizationId} roles={roles} />,
});

const tabsOf = (organization: Organization, search: OrganizationSearch, showsKeys: boolean) => {
  const { memberCount, invitationCount, teamCount } = organization;
  return [
    {
      value: "members",
      label: t("organization.tabs.members", { count: countText(memberCount) }),
      content: <Members organization={organization} search={search} />,
    },
    {
      value: "invitations",
      label: t("organization.tabs.invitations", { count: countText(invitationCount) }),
      content: <Invitations organization={organization} />,
    },
    {
      value: "teams",
      label:
        teamCount === null
          ? t("teams.title")
          : t("organization.tabs.teams", { count: countText(teamCount) }),
      content: <Teams organization={organization} />,
    },
    ...(organization.roles ? [rolesOf(organization.id, organization.roles)] : []),
    ...(showsKeys ? [keysOf(organization, search)] : []),
    {
      value: "settings",
      label: t("organization.settings.title"),
      content: <Settings key={organization.id} organization={organization} />,
    },
    {
      value: "json",
      label: "JSON",
      content: (
        <JsonView label={t("common.asJson", { name: organization.name })} value={organization} />
      ),
    },
  ];
};

/** Shows the id and the other identifying data of an organization. */
const Marks = ({ organization }: { organization: Organization }) => (
  <div className="flex flex-wrap items-center gap-x-6 gap-y-1 text-muted">
    <span className="inline-flex min-w-0 items-center gap-2">
      {t("common.slug")}
      <bdi className="max-w-60 truncate text-ink" title={organization.slug}>
        {organization.slug}
      </bdi>
    </span>
    <span className="inline-flex min-w-0 items-center gap-2">
      {t("common.id")} <CopyId id={organization.id} of={organization.name} />
    </span>
    <span>
      {t("common.created")} <RelativeTime at={organization.createdAt} />
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
  return (
    <Detail kind={t("common.organization")} trail={trail} reading={organization}>
      {(data) => (
        <Page title={data.name} trail={trail} aside={<AuditLink subjectId={data.id} />}>
          <StaleNotice reading={organization} />
          <Marks organization={data} />
          <Tabs
            label={t("common.partsOf", { name: data.name })}
            value={search.tab ?? "members"}
            onChange={(value) => {
              const tab = organizationTabs.find((known) => known === value);
              void navigate({ to: ".", search: { tab: tab === "members" ? undefined : tab } });
            }}
            tabs={tabsOf(data, search, showsKeys)}
          />
        </Page>
      )}
    </Detail>
  );
};

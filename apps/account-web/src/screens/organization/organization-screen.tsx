import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Reading } from "../../components/account/reading.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";
import type { PartProps } from "./organization.ts";
import { type OrganizationTab, organizationTabs } from "./organization-tabs.ts";
import { Settings } from "./settings.tsx";
import { Teams } from "./teams.tsx";

const { getFullOrganization, listTeams } = operations.organization;

const route = getRouteApi("/signed-in/organizations/$organizationId");

const parts: Record<OrganizationTab, (props: PartProps) => ReactNode> = {
  members: Members,
  invitations: Invitations,
  teams: Teams,
  settings: Settings,
};

const Parts = ({ organization }: PartProps) => {
  const { t } = useTranslation("organizations");
  const { tab = "members" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Tabs
      label={t("tabs.label")}
      value={tab}
      onChange={(value) =>
        void navigate({
          search: { tab: organizationTabs.find((known) => known === value) },
          replace: true,
        })
      }
      tabs={organizationTabs
        .filter((name) => name !== "teams" || isOffered(listTeams))
        .map((name) => {
          const Part = parts[name];
          return {
            value: name,
            label: t(`tabs.${name}`),
            content: <Part organization={organization} />,
          };
        })}
    />
  );
};

/** One organization of the user. */
export const OrganizationScreen = () => {
  const { t } = useTranslation("organizations");
  const { organizationId } = route.useParams();
  const organization = useQuery(operationQuery(getFullOrganization, { query: { organizationId } }));
  return (
    <Screen
      title={organization.data?.name ?? t("title")}
      lead={<TextLink to="/organizations">{t("back")}</TextLink>}
    >
      <Reading of={organization}>
        {(data) => (data ? <Parts organization={data} /> : <p role="alert">{t("gone")}</p>)}
      </Reading>
    </Screen>
  );
};

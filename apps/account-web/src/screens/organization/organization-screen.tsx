import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiKeys } from "../../components/api-keys/api-keys.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../languages.ts";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";
import type { PartProps } from "./organization.ts";
import { type OrganizationTab, organizationTabs } from "./organization-tabs.ts";
import { Roles } from "./roles.tsx";
import { Settings } from "./settings.tsx";
import { Teams } from "./teams.tsx";
import { Webhooks } from "./webhooks.tsx";
import { facts } from "../../facts.ts";

const { getFullOrganization, listRoles, listTeams } = operations.organization;
const { listOrganizationWebhooks } = operations.webhooks;

const route = getRouteApi("/signed-in/organizations/$organizationId");

/** The API keys of an organization. */
const Keys = ({ organization: { id } }: PartProps) => {
  const t = useTranslation("apiKeys");
  const may = usePermissions(id, ["apiKey:create", "apiKey:update", "apiKey:delete"]);
  return (
    <ApiKeys
      organizationId={id}
      title={t("listOfOrganization")}
      text={t("ofOrganization")}
      may={(action) => may(`apiKey:${action}`)}
    />
  );
};

const parts: Record<OrganizationTab, (props: PartProps) => ReactNode> = {
  members: Members,
  invitations: Invitations,
  teams: Teams,
  roles: Roles,
  keys: Keys,
  webhooks: Webhooks,
  settings: Settings,
};

type TabPermission = "ac:read" | "apiKey:read" | "webhook:read";

/** The parts that the server allows only to some roles. Those of features that are off are not shown. */
const restricted: Partial<Record<OrganizationTab, TabPermission>> = {
  roles: "ac:read",
  keys: "apiKey:read",
  webhooks: "webhook:read",
};

const isThere: Partial<Record<OrganizationTab, boolean>> = {
  teams: isOffered(listTeams),
  roles: isOffered(listRoles),
  keys: facts.organizationKeys && isOffered(operations.apikey.listApiKeys),
  webhooks: isOffered(listOrganizationWebhooks),
};

/** Returns whether a part is shown. */
const useIsShown = (organizationId: string): ((tab: OrganizationTab) => boolean) => {
  const tabs = organizationTabs.filter((tab) => isThere[tab] !== false);
  const may = usePermissions(
    organizationId,
    tabs.flatMap((tab) => restricted[tab] ?? []),
  );
  return (tab) => {
    const needed = restricted[tab];
    return tabs.includes(tab) && (needed === undefined || may(needed));
  };
};

const Parts = ({ organization }: PartProps) => {
  const t = useTranslation("organizations");
  const { tab = "members" } = route.useSearch();
  const navigate = route.useNavigate();
  const isShown = useIsShown(organization.id);
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
      tabs={organizationTabs.filter(isShown).map((name) => {
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

/** Leads a member without a second factor to the place where one is set up. */
const SecondFactorRequired = () => {
  const t = useTranslation("organizations");
  return (
    <Panel title={t("secondFactor.title")} text={t("secondFactor.text")}>
      <div>
        <Link to="/security" className={buttonStyle("primary")}>
          {t("secondFactor.action")}
        </Link>
      </div>
    </Panel>
  );
};

const isSecondFactorRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "TWO_FACTOR_REQUIRED";

/** One organization of the user. */
export const OrganizationScreen = () => {
  const t = useTranslation("organizations");
  const { organizationId } = route.useParams();
  const organization = useQuery(operationQuery(getFullOrganization, { query: { organizationId } }));
  return (
    <Screen
      title={organization.data?.name ?? t("title")}
      lead={<TextLink to="/organizations">{t("back")}</TextLink>}
    >
      {isSecondFactorRequired(organization.error) ? (
        <SecondFactorRequired />
      ) : (
        <Reading of={organization}>
          {(data) => (data ? <Parts organization={data} /> : <p role="alert">{t("gone")}</p>)}
        </Reading>
      )}
    </Screen>
  );
};

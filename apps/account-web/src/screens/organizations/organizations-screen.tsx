import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/account/panel.tsx";
import { Picture } from "../../components/account/picture.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { CreateOrganization } from "./create-organization.tsx";
import { ReceivedInvitations } from "./received-invitations.tsx";

const { listOrganizations, setActiveOrganization } = operations.organization;

interface OrganizationRowProps {
  organization: CallReply<typeof listOrganizations>[number];
  isActive: boolean;
}

const OrganizationRow = ({ organization, isActive }: OrganizationRowProps) => {
  const { t } = useTranslation("organizations");
  const { id, name, slug, logo } = organization;
  const activate = useAct(setActiveOrganization, { done: t("switched", { name }) });
  return (
    <Row
      mark={<Picture name={name} address={logo} />}
      title={
        <>
          <bdi>{name}</bdi>
          {isActive && <Badge tone="success">{t("active")}</Badge>}
        </>
      }
      details={<bdi dir="ltr">{slug}</bdi>}
      error={activate.error}
      actions={
        <>
          {!isActive && (
            <Button
              aria-label={t("switchTo", { name })}
              isBusy={activate.isPending}
              onClick={() => activate.mutate({ body: { organizationId: id } })}
            >
              {t("switch")}
            </Button>
          )}
          <Link
            to="/organizations/$organizationId"
            params={{ organizationId: id }}
            aria-label={t("open", { name })}
            className={buttonStyle()}
          >
            {t("manage")}
          </Link>
        </>
      }
    />
  );
};

/** The organizations of the user, and the invitations to others. */
export const OrganizationsScreen = () => {
  const { t } = useTranslation("organizations");
  const [isCreating, setIsCreating] = useState(false);
  const { data: session } = useQuery(sessionQuery);
  const organizations = useQuery(operationQuery(listOrganizations, {}));
  const create = (
    <Button kind="primary" onClick={() => setIsCreating(true)}>
      {t("create")}
    </Button>
  );
  return (
    <Screen title={t("title")} lead={t("lead")} actions={create}>
      <ReceivedInvitations />
      <Panel title={t("list")}>
        <Reading of={organizations}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState title={t("none")}>{t("noneText")}</EmptyState>
            ) : (
              <Rows label={t("list")}>
                {list.map((organization) => (
                  <OrganizationRow
                    key={organization.id}
                    organization={organization}
                    isActive={organization.id === session?.session.activeOrganizationId}
                  />
                ))}
              </Rows>
            )
          }
        </Reading>
      </Panel>
      {isCreating && <CreateOrganization onClose={() => setIsCreating(false)} />}
    </Screen>
  );
};

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { useAccess } from "../../access/use-access.ts";
import { AuditLink } from "../../components/audit/audit-link.tsx";
import { AuditParty } from "../../components/audit/audit-party.tsx";
import { type Client, clientKinds, clientName, kindOf } from "../../components/clients/client.ts";
import { ClientStateBadge } from "../../components/clients/client-state-badge.tsx";
import { Consents } from "../../components/clients/consents.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Detail } from "../../components/detail.tsx";
import { type Reading, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Page } from "../../components/page.tsx";
import { richText } from "../../components/rich-text.tsx";
import { ClientActions } from "./client-actions.tsx";
import { t } from "../../texts.ts";

const { adminEndFormerOauthSecret, adminGetOauthClient, adminWithdrawOauthConsents } =
  operations.oauth;

/** A list of texts below its label, because they may be long. */
const Texts = ({ label, texts }: { label: string; texts: readonly string[] }) => (
  <section aria-label={label}>
    <h3 className="text-muted">{label}</h3>
    {texts.length === 0 ? (
      "–"
    ) : (
      <ul className="font-mono text-xs leading-6">
        {texts.map((text) => (
          <li key={text} className="break-all">
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    )}
  </section>
);

const namesIn = (scope: string | undefined): string[] => scope?.split(" ").filter(Boolean) ?? [];

/** Says which scopes a client may have, and where it may send its users. */
const Allowed = ({ client }: { client: Client }) =>
  kindOf(client) === "machine" ? (
    <Texts label={t("clients.fields.machineScopes")} texts={client.client_credentials_scopes} />
  ) : (
    <div className="flex flex-col gap-3">
      <Texts label={t("clients.fields.redirectUris")} texts={client.redirect_uris} />
      <Texts label={t("clients.fields.scopes")} texts={namesIn(client.scope)} />
      <p>{t(client.skip_consent ? "clients.notAsked" : "clients.asked")}</p>
    </div>
  );

/** Shows the settings of a client. */
const ClientFacts = ({ client }: { client: Client }) => (
  <div className="grid gap-4 lg:grid-cols-2">
    <Card title={t("clients.one")}>
      <Facts
        facts={{
          [t("clients.clientId")]: <CopyId id={client.client_id} of={clientName(client)} />,
          [t("clients.kind")]: clientKinds[kindOf(client)].label,
          [t("common.lastUsed")]: <RelativeTime at={client.last_used_at} />,
          [t("webhook.createdBy")]:
            client.created_by === "" ? (
              "npx latchkey"
            ) : (
              <AuditParty kind="user" id={client.created_by} isStacked />
            ),
          [t("common.created")]: (
            <RelativeTime at={new Date(client.client_id_issued_at * 1_000).toISOString()} />
          ),
        }}
      />
    </Card>
    <Card title={t("clients.allowed")}>
      <Allowed client={client} />
    </Card>
  </div>
);

/** Says how long the secret of before the last rotation works, and ends it. */
const FormerSecret = ({ client: { client_id: id, former_secret_until } }: { client: Client }) => {
  const { may } = useAccess();
  const end = useOperation(adminEndFormerOauthSecret, { done: t("clients.former.ended") });
  if (former_secret_until === null) return null;
  return (
    <Notice>
      <span className="flex flex-wrap items-center justify-between gap-3">
        <span>
          {richText("clients.former.text", {
            time: <RelativeTime at={former_secret_until} mayBeAhead />,
          })}
        </span>
        {may("oauthClient:update") && (
          <Button isBusy={end.isPending} onClick={() => end.mutate({ params: { id } })}>
            {t("clients.former.end")}
          </Button>
        )}
      </span>
    </Notice>
  );
};

/** Withdraws the access of all users. */
const WithdrawAll = ({ client }: { client: Client }) => {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsked(true)}>
        {t("clients.withdraw.all")}
      </Button>
      {isAsked && (
        <Confirm
          operation={adminWithdrawOauthConsents}
          input={{ params: { id: client.client_id }, body: {} }}
          title={t("clients.withdraw.allTitle", { name: clientName(client) })}
          action={t("clients.withdraw.all")}
          done={({ count }) => t("clients.withdraw.done", { count })}
          typed={clientName(client)}
          onClose={() => setIsAsked(false)}
        >
          {t("clients.withdraw.text")}
        </Confirm>
      )}
    </>
  );
};

const Users = ({ client }: { client: Client }) => {
  const { may } = useAccess();
  return (
    <Consents
      owner={{ clientId: client.client_id }}
      actions={may("oauthClient:update") && <WithdrawAll client={client} />}
    />
  );
};

const route = getRouteApi("/shell/clients/$clientId");
const trail = [{ label: t("screens.clients"), to: "/clients" }];

const Shown = ({ client, reading }: { client: Client; reading: Reading }) => {
  const navigate = useNavigate();
  const { tab } = route.useSearch();
  const name = clientName(client);
  const overview = {
    value: "overview",
    label: t("user.tabs.overview"),
    content: <ClientFacts client={client} />,
  };
  const users = { value: "users", label: t("screens.users"), content: <Users client={client} /> };
  const json = {
    value: "json",
    label: "JSON",
    content: <JsonView label={t("common.asJson", { name })} value={client} />,
  };
  return (
    <Page
      title={name}
      trail={trail}
      aside={
        <>
          <ClientStateBadge client={client} />
          <AuditLink subjectId={client.client_id} />
          <ClientActions client={client} />
        </>
      }
    >
      <StaleNotice reading={reading} />
      <FormerSecret client={client} />
      <Tabs
        label={t("common.partsOf", { name })}
        value={tab ?? "overview"}
        onChange={(value) =>
          void navigate({
            to: ".",
            search: { tab: value === "users" || value === "json" ? value : undefined },
          })
        }
        // A machine acts for itself and has no users.
        tabs={kindOf(client) === "machine" ? [overview, json] : [overview, users, json]}
      />
    </Page>
  );
};

/** Shows one client: its settings and its users. */
export const ClientScreen = () => {
  const { clientId: id } = route.useParams();
  const reading = useQuery(operationQuery(adminGetOauthClient, { params: { id } }));
  return (
    <Detail kind={t("clients.one")} trail={trail} reading={reading}>
      {(client) => <Shown client={client} reading={reading} />}
    </Detail>
  );
};

import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useQuery } from "@tanstack/react-query";
import { AppWindow } from "lucide-react";
import { useState } from "react";
import { Ago } from "../../components/account/ago.tsx";
import { ConfirmDialog } from "../../components/account/form-dialog.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { ScopeList } from "../../components/scope-list.tsx";
import { useTranslation } from "../../languages.ts";

const { deleteOauthConsent, listOauthConsents } = operations.oauth;

type Consent = CallReply<typeof listOauthConsents>[number];

const nameOf = ({ clientName, clientHosts, clientId }: Consent): string =>
  clientName ?? clientHosts[0] ?? clientId;

/** Ends the access of an application at once. */
const Withdraw = ({ consent }: { consent: Consent }) => {
  const t = useTranslation("applications");
  const [isAsked, setIsAsked] = useState(false);
  const close = () => setIsAsked(false);
  const withdraw = useOperation(deleteOauthConsent, { done: t("withdrawn"), onDone: close });
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>{t("withdraw")}</Button>
      {isAsked && (
        <ConfirmDialog
          title={t("withdrawTitle", { name: nameOf(consent) })}
          description={t("withdrawText")}
          action={t("withdraw")}
          change={withdraw}
          onConfirm={() => withdraw.mutate({ body: { id: consent.id } })}
          onClose={close}
        />
      )}
    </>
  );
};

const Application = ({ consent }: { consent: Consent }) => {
  const t = useTranslation("applications");
  const consentText = useTranslation("consent");
  const { clientHosts, createdAt, lastUsedAt, scopes } = consent;
  return (
    <Panel
      title={nameOf(consent)}
      text={
        <>
          <bdi>{clientHosts.join(", ")}</bdi>
          {" · "}
          {t(lastUsedAt === null ? "connected" : "lastUsed")} <Ago at={lastUsedAt ?? createdAt} />
        </>
      }
      actions={<Withdraw consent={consent} />}
    >
      {scopes.length > 0 ? (
        <ScopeList label={consentText("list")} scopes={scopes} />
      ) : (
        <p>{t("trusted")}</p>
      )}
    </Panel>
  );
};

/** The applications that the user has signed in to with this account. */
export const ApplicationsScreen = () => {
  const t = useTranslation("applications");
  const consents = useQuery(operationQuery(listOauthConsents, {}));
  return (
    <Screen title={t("title")} lead={t("lead")}>
      <Reading of={consents}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t("none")} Icon={AppWindow}>
              {t("noneText")}
            </EmptyState>
          ) : (
            list.map((consent) => <Application key={consent.id} consent={consent} />)
          )
        }
      </Reading>
    </Screen>
  );
};

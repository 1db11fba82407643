import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { hasPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { facts } from "../../facts.ts";
import { Passkeys } from "./passkeys.tsx";
import { Password } from "./password.tsx";
import { Providers } from "./providers.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { TrustedBrowsers } from "./trusted-browsers.tsx";

const { listAccounts, readTwoFactorStatus } = operations.identity;

const SecondFactors = () => {
  const { t } = useTranslation("security");
  const status = useQuery(operationQuery(readTwoFactorStatus, {}));
  return (
    <>
      <Panel title={t("factor.title")} text={t("factor.text")}>
        <Reading of={status}>{(data) => <SecondFactor status={data} />}</Reading>
      </Panel>
      {status.data?.enabled && <TrustedBrowsers />}
    </>
  );
};

/** The ways in which the user signs in. */
export const SecurityScreen = () => {
  const { t } = useTranslation("security");
  const accounts = useQuery(operationQuery(listAccounts, {}));
  const hasProviders =
    facts.providers.length > 0 ||
    accounts.data?.some(({ providerId }) => providerId !== "credential") === true;
  return (
    <Screen title={t("title")} lead={t("lead")}>
      {facts.password && (
        <Panel title={t("password.title")}>
          <Reading of={accounts}>{(list) => <Password accounts={list} />}</Reading>
        </Panel>
      )}
      {hasProviders && (
        <Panel title={t("providers.title")} text={t("providers.text")}>
          <Reading of={accounts}>{(list) => <Providers accounts={list} />}</Reading>
        </Panel>
      )}
      {hasPasskeys && <Passkeys />}
      {isOffered(readTwoFactorStatus) && <SecondFactors />}
    </Screen>
  );
};

import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { hasPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { useQuery } from "@tanstack/react-query";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useState } from "react";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { Passkeys } from "./passkeys.tsx";
import { PhoneNumber } from "./phone-number.tsx";
import { Providers } from "./providers.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { PresentPasswordField } from "../../components/account/present-password-field.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useKeyEffect } from "../../components/account/use-key-effect.ts";
import { CheckField } from "@latchkey/ui/components/fields.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { NewPasswordField } from "../../components/new-password-field.tsx";
import { addressOf } from "../../session/address-of.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { isCompromised } from "../../components/account/is-compromised.ts";
import { hasPassword, type SignInAccount } from "./sign-in-account.ts";
import { Ago } from "../../components/account/ago.tsx";
import { DeviceIcon } from "../../components/account/device-icon.tsx";
import { useDeviceName } from "../../components/account/use-device-name.ts";

const { listTrustedDevices, revokeTrustedDevice } = operations.identity;

/** The browsers in which the user needs no second factor. Not shown without any. */
const TrustedBrowsers = () => {
  const t = useTranslation("security");
  const deviceName = useDeviceName();
  const { data } = useQuery(operationQuery(listTrustedDevices, {}));
  const revoke = useOperation(revokeTrustedDevice, { done: t("trusted.done") });
  if (!data?.length) return null;
  return (
    <Panel title={t("trusted.title")} text={t("trusted.text")}>
      <Rows label={t("trusted.title")}>
        {data.map(({ id, userAgent, ipAddress, lastUsedAt, current }) => (
          <Row
            key={id}
            mark={<DeviceIcon agent={userAgent} className="size-5 shrink-0 text-muted" />}
            title={deviceName(userAgent)}
            badges={current && <Badge>{t("trusted.current")}</Badge>}
            details={
              <>
                {ipAddress && (
                  <>
                    <bdi>{ipAddress}</bdi>
                    {" · "}
                  </>
                )}
                {t("passkeys.lastUsed")} <Ago at={lastUsedAt} />
              </>
            }
            actions={
              <Button
                isBusy={revoke.isPending && revoke.variables?.body.id === id}
                onClick={() => revoke.mutate({ body: { id } })}
              >
                {t("trusted.stop")}
              </Button>
            }
          />
        ))}
      </Rows>
      {revoke.error && <FormError error={revoke.error} />}
    </Panel>
  );
};

const ChangePassword = ({ onClose }: { onClose: () => void }) => {
  const t = useTranslation("security");
  const keyEffect = useKeyEffect();
  const change = useOperation(operations.identity.changePassword, {
    done: t("password.changed"),
    onDone: onClose,
  });
  const form = useForm({
    defaultValues: { currentPassword: "", newPassword: "", revokeOtherSessions: true },
    change,
    onSubmit: (body) => change.mutate({ body }),
  });
  return (
    <FormDialog
      form={form}
      title={t("password.change")}
      description={keyEffect(form.watch("revokeOtherSessions") ? "passwordEnds" : "stay")}
      action={t("password.save")}
      onClose={onClose}
    >
      <PresentPasswordField
        {...form.field("currentPassword", { required: t("errors:required") })}
      />
      <NewPasswordField
        label={t("password:newPassword")}
        field={(rules) => form.field("newPassword", rules)}
      />
      <CheckField {...form.field("revokeOtherSessions")} label={t("password.endOthers")} />
    </FormDialog>
  );
};

/** A user without a password sets one by a mailed link, which proves that the email is theirs. */
const SetPassword = () => {
  const t = useTranslation("security");
  const { data: session } = useQuery(sessionQuery);
  const send = useOperation(operations.identity.requestPasswordReset, { done: t("password.sent") });
  const email = session?.user.email ?? "";
  return (
    <>
      <Rows label={t("password.title")}>
        <Row
          title={t("password.none")}
          details={t("password.noneText", { email: showEmail(email) })}
          actions={
            <Button
              isBusy={send.isPending}
              onClick={() =>
                send.mutate({ body: { email, redirectTo: addressOf("/reset-password") } })
              }
            >
              {t("password.sendLink")}
            </Button>
          }
        />
      </Rows>
      {send.error && <FormError error={send.error} />}
    </>
  );
};

/** The password of the user. */
const Password = ({ accounts }: { accounts: readonly SignInAccount[] }) => {
  const t = useTranslation("security");
  const [isChanging, setIsChanging] = useState(false);
  if (!hasPassword(accounts)) return <SetPassword />;
  return (
    <>
      <Rows label={t("password.title")}>
        <Row
          title={t("password.set")}
          details={isCompromised(accounts) && t("password.compromised")}
          actions={<Button onClick={() => setIsChanging(true)}>{t("password.change")}</Button>}
        />
      </Rows>
      {isChanging && <ChangePassword onClose={() => setIsChanging(false)} />}
    </>
  );
};

const { listAccounts, readTwoFactorStatus } = operations.identity;

const SecondFactors = () => {
  const t = useTranslation("security");
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
  const t = useTranslation("security");
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
      {isOffered(operations.identity.verifyPhoneNumber) && <PhoneNumber />}
      {hasPasskeys && <Passkeys />}
      {isOffered(readTwoFactorStatus) && <SecondFactors />}
    </Screen>
  );
};

import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { useDeviceName } from "../../components/account/use-device-name.ts";
import { FormError } from "../../components/form-error.tsx";

const { listTrustedDevices, revokeTrustedDevice } = operations.identity;

/** The browsers in which the user needs no second factor. Not shown without any. */
export const TrustedBrowsers = () => {
  const { t } = useTranslation(["security", "sessions"]);
  const deviceName = useDeviceName();
  const { data } = useQuery(operationQuery(listTrustedDevices, {}));
  const revoke = useAct(revokeTrustedDevice, { done: t("trusted.done") });
  if (!data?.length) return null;
  return (
    <Panel title={t("trusted.title")} text={t("trusted.text")}>
      <Rows label={t("trusted.title")}>
        {data.map(({ id, userAgent, ipAddress, lastUsedAt, current }) => (
          <Row
            key={id}
            title={
              <>
                {deviceName(userAgent)}
                {current && <Badge>{t("trusted.current")}</Badge>}
              </>
            }
            details={
              <>
                {ipAddress && <p>{t("sessions:address", { address: ipAddress })}</p>}
                <p>
                  {t("passkeys.lastUsed")} <Moment at={lastUsedAt} />
                </p>
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

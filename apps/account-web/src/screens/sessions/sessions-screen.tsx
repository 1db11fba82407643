import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../components/account/form-dialog.tsx";
import { Ago } from "../../components/account/ago.tsx";
import { DeviceIcon } from "../../components/account/device-icon.tsx";
import { isNewSession } from "../../components/account/is-new-session.ts";
import { useMomentText } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { useDeviceName } from "../../components/account/use-device-name.ts";
import { useKeyEffect } from "../../components/account/use-key-effect.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useTranslation } from "../../languages.ts";
import { sessionQuery } from "../../session/session-query.ts";

const { listSessions, revokeOtherSessions, revokeSession } = operations.identity;

type Session = CallReply<typeof listSessions>[number];

const EndOthers = ({ onClose }: { onClose: () => void }) => {
  const t = useTranslation("sessions");
  const keyEffect = useKeyEffect();
  const end = useOperation(revokeOtherSessions, { done: t("othersEnded"), onDone: onClose });
  return (
    <ConfirmDialog
      title={t("endOthersTitle")}
      description={`${t("endOthersText")} ${keyEffect("stay")}`}
      action={t("endOthers")}
      change={end}
      onConfirm={() => end.mutate({})}
      onClose={onClose}
    />
  );
};

interface SessionRowProps {
  session: Session;
  current: Pick<Session, "createdAt" | "id"> | undefined;
  isBusy: boolean;
  onEnd: () => void;
}

const SessionRow = ({ session, current, isBusy, onEnd }: SessionRowProps) => {
  const t = useTranslation("sessions");
  const moment = useMomentText();
  const device = useDeviceName()(session.userAgent);
  const isCurrent = session.id === current?.id;
  const now = useNow();
  const { createdAt, expiresAt, ipAddress } = session;
  return (
    <Row
      mark={<DeviceIcon agent={session.userAgent} className="size-5 shrink-0 text-muted" />}
      title={
        <>
          <span title={session.userAgent}>{device}</span>
          {isCurrent && <Badge tone="success">{t("current")}</Badge>}
          {isNewSession(session, current, now) && <Badge tone="warning">{t("isNew")}</Badge>}
        </>
      }
      details={
        <>
          <p>
            {ipAddress && `${t("address", { address: ipAddress })} · `}
            {t("lastActive")} <Ago at={session.updatedAt} />
          </p>
          <p>{t("details", { start: moment(createdAt), end: moment(expiresAt) })}</p>
        </>
      }
      actions={
        !isCurrent && (
          <Button size="small" aria-label={t("endOf", { device })} isBusy={isBusy} onClick={onEnd}>
            {t("end")}
          </Button>
        )
      }
    />
  );
};

/** The browsers in which the user is signed in. */
export const SessionsScreen = () => {
  const t = useTranslation("sessions");
  const [isEnding, setIsEnding] = useState(false);
  const { data: current } = useQuery(sessionQuery);
  const sessions = useQuery(operationQuery(listSessions, {}));
  const end = useOperation(revokeSession, { done: t("ended") });
  const hasOthers = (sessions.data?.length ?? 0) > 1;
  return (
    <Screen title={t("title")} lead={t("lead")}>
      <Panel
        title={t("list")}
        actions={hasOthers && <Button onClick={() => setIsEnding(true)}>{t("endOthers")}</Button>}
      >
        <Reading of={sessions}>
          {(list) => (
            <Rows label={t("list")}>
              {list.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  current={current?.session}
                  isBusy={end.isPending && end.variables?.body.token === session.token}
                  onEnd={() => end.mutate({ body: { token: session.token } })}
                />
              ))}
            </Rows>
          )}
        </Reading>
        {end.error && <FormError error={end.error} />}
      </Panel>
      {isEnding && <EndOthers onClose={() => setIsEnding(false)} />}
    </Screen>
  );
};

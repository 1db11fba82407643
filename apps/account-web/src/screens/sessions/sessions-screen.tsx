import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../components/account/form-dialog.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Rows } from "../../components/account/rows.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { useKeyEffect } from "../../components/account/use-key-effect.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useTranslation } from "../../languages.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { useSignOutCurrent } from "../../session/use-sign-out.ts";
import { SessionRow } from "./session-row.tsx";

const { listSessions, revokeOtherSessions, revokeSession } = operations.identity;

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

/** The browsers in which the user is signed in. */
export const SessionsScreen = () => {
  const t = useTranslation("sessions");
  const [isEnding, setIsEnding] = useState(false);
  const { data: current } = useQuery(sessionQuery);
  const sessions = useQuery(operationQuery(listSessions, {}));
  const end = useOperation(revokeSession, { done: t("ended") });
  const signOut = useSignOutCurrent();
  const error = end.error ?? signOut.error;
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
                  onEnd={() =>
                    session.id === current?.session.id
                      ? signOut.mutate()
                      : end.mutate({ body: { token: session.token } })
                  }
                />
              ))}
            </Rows>
          )}
        </Reading>
        {error && <FormError error={error} />}
      </Panel>
      {isEnding && <EndOthers onClose={() => setIsEnding(false)} />}
    </Screen>
  );
};

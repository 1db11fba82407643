import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useQuery } from "@tanstack/react-query";
import { ActivityRows } from "../../components/account/activity-rows.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { useTranslation } from "../../languages.ts";

/** The latest sign-ins and changes of the account. */
export const ActivityScreen = () => {
  const t = useTranslation("activity");
  const activity = useQuery(operationQuery(operations.identity.listActivity, {}));
  return (
    <Screen title={t("title")} lead={t("lead")}>
      <Panel title={t("list")}>
        <Reading of={activity}>
          {(entries) =>
            entries.length === 0 ? (
              <EmptyState title={t("none")} />
            ) : (
              <ActivityRows entries={entries} />
            )
          }
        </Reading>
      </Panel>
    </Screen>
  );
};

import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Rows } from "../../components/account/rows.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { CreateKey } from "./create-key.tsx";
import { KeyRow } from "./key-row.tsx";

const keysQuery = operationQuery(operations.apikey.listApiKeys, {
  query: { sortBy: "createdAt", sortDirection: "desc" },
});

/** The API keys of the user. */
export const APIKeysScreen = () => {
  const { t } = useTranslation("apiKeys");
  const [isCreating, setIsCreating] = useState(false);
  const keys = useQuery({
    ...keysQuery,
    select: (reply) => (Array.isArray(reply) ? reply : reply.apiKeys),
  });
  const create = (
    <Button kind="primary" onClick={() => setIsCreating(true)}>
      {t("create.title")}
    </Button>
  );
  return (
    <Screen title={t("title")} lead={t("lead")} actions={create}>
      <Panel title={t("list")}>
        <Reading of={keys}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState title={t("none")}>{t("noneText")}</EmptyState>
            ) : (
              <Rows label={t("list")}>
                {list.map((key) => (
                  <KeyRow key={key.id} apiKey={key} />
                ))}
              </Rows>
            )
          }
        </Reading>
      </Panel>
      {isCreating && <CreateKey onClose={() => setIsCreating(false)} />}
    </Screen>
  );
};

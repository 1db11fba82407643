import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { Page } from "../../components/page.tsx";
import { type Queue, worstFirst } from "../../components/queue-condition.ts";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { FailedMessages } from "./failed-messages.tsx";
import { QueueTable } from "./queue-table.tsx";
import { useQueues } from "./use-queues.ts";
import { richText } from "../../components/rich-text.tsx";
import { t } from "../../texts.ts";

const route = getRouteApi("/shell/queues");

/** Returns the queue that needs an operator most, if the address names none. */
const defaultQueue = (queues: readonly Queue[]): string | undefined =>
  worstFirst(queues, new Date())[0]?.name;

/** Leads to the failed mails, which are no failed messages. */
const FailedMails = () => {
  const { may } = useAccess();
  if (!may("delivery:list")) return null;
  return (
    <p className="text-muted">
      {richText("queues.failedMails", {
        link: (
          <Link
            to="/mail"
            search={{ state: "failed" }}
            className="rounded-sm underline underline-offset-2"
          >
            {t("queues.inMails")}
          </Link>
        ),
      })}
    </p>
  );
};

export const QueuesScreen = () => {
  const { queue } = route.useSearch();
  const queues = useQueues();
  const { data, error, refetch } = queues;
  // Keeps the default queue of the first render, even when its messages no longer fail.
  const [first, setFirst] = useState<string>();
  const firstQueue = first ?? (data && defaultQueue(data.queues));
  if (firstQueue !== first) setFirst(firstQueue);
  const shown = queue ?? firstQueue;
  if (error && !data)
    return (
      <Page title={t("screens.queues")}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  return (
    <Page title={t("screens.queues")} lead={t("queues.lead")}>
      <StaleNotice reading={queues} />
      <QueueTable queues={data?.queues} shown={shown} />
      <h2 className="mt-2 text-lg font-semibold">
        {shown ? t("queues.failedMessagesOf", { queue: shown }) : t("queues.failedMessages")}
      </h2>
      {shown === "mailer" && <FailedMails />}
      {shown !== undefined && <FailedMessages key={shown} queue={shown} />}
    </Page>
  );
};

import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { type ListedRow, listQuery } from "../../components/data-table/list-query.ts";
import { pageSize } from "../../components/data-table/page-of.ts";
import { csvExport } from "../../components/export/csv-export.ts";
import { readPages } from "../../components/export/read-pages.ts";

const { adminListQueues, adminListFailedMessages } = operations.identity;

export type Queue = CallReply<typeof adminListQueues>["queues"][number];
export type FailedMessage = ListedRow<typeof adminListFailedMessages, "messages">;

const againMs = 5000;

/** Queries the state of every queue periodically. */
export const useQueues = () =>
  useQuery({ ...operationQuery(adminListQueues, {}), refetchInterval: againEvery(againMs) });

/** Queries a page of the failed messages of a queue. */
export const useFailedMessages = (name: string, cursor: string | undefined) =>
  useQuery({
    ...listQuery(adminListFailedMessages, "messages", {
      params: { name },
      query: { limit: String(pageSize), cursor },
    }),
    refetchInterval: againEvery(againMs),
  });

/** Exports all failed messages of a queue. */
export const exportedMessages = (queue: string) =>
  csvExport<FailedMessage>({
    name: "failed-messages",
    pages: readPages(adminListFailedMessages, "messages", { params: { name: queue } }),
    columns: {
      id: ({ id }) => id,
      event: ({ event }) => event,
      reason: ({ reason }) => reason,
      attempts: ({ attempts }) => attempts,
      failedAt: ({ failedAt }) => failedAt,
    },
  });

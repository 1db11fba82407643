import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { type ListedRow, listOf } from "../../components/data-table/list-query.ts";
import { pageSize } from "../../components/data-table/page-of.ts";
import { csvMembers } from "../../components/export/csv-export.ts";

const { adminListQueues, adminListFailedMessages } = operations.identity;

export type FailedMessage = ListedRow<typeof adminListFailedMessages, "messages">;

const againMs = 5000;

/** Queries the state of every queue periodically. */
export const useQueues = () =>
  useQuery({ ...operationQuery(adminListQueues, {}), refetchInterval: againEvery(againMs) });

/** The failed messages of a queue. */
export const failedMessagesOf = (name: string) =>
  listOf({
    operation: adminListFailedMessages,
    member: "messages",
    inputOf: (cursor: string | undefined) => ({
      params: { name },
      query: { limit: String(pageSize), cursor },
    }),
    fileName: "failed-messages",
    csv: csvMembers<FailedMessage>("id", "event", "reason", "attempts", "failedAt"),
  });

/** Queries a page of the failed messages of a queue. */
export const useFailedMessages = (name: string, cursor: string | undefined) =>
  useQuery({
    ...failedMessagesOf(name).query(cursor),
    refetchInterval: againEvery(againMs),
  });

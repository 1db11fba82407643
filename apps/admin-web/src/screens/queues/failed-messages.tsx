import { getRouteApi } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { columnsOf } from "../../components/data-table/features.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { messageActions } from "./message-actions.ts";
import { type FailedMessage, failedMessagesOf, useFailedMessages } from "./use-queues.ts";
import { t } from "../../texts.ts";

const MessageDrawer = lazyDialog(async () => (await import("./message-drawer.tsx")).MessageDrawer);

const route = getRouteApi("/shell/queues");
const column = columnsOf<FailedMessage>();

const columns = column.columns([
  column.display({
    id: "event",
    header: t("events.one"),
    enableHiding: false,
    meta: { width: "min-w-56" },
    cell: ({ row: { original: message } }) => (
      <route.Link
        to="."
        search={(was) => ({ ...was, id: message.id })}
        state
        className="block truncate rounded-sm font-medium hover:underline"
      >
        {message.event}
      </route.Link>
    ),
  }),
  column.display({
    id: "reason",
    header: t("common.reason"),
    meta: { priority: "medium" },
    cell: ({ row: { original } }) => <bdi title={original.reason}>{original.reason}</bdi>,
  }),
  column.accessor("attempts", {
    header: t("common.attempts"),
    meta: { isNumber: true, width: "w-22", priority: "low" },
  }),
  column.display({
    id: "failedAt",
    header: t("queues.failed"),
    meta: { width: "w-42", priority: "high" },
    cell: ({ row }) => <RelativeTime at={row.original.failedAt} isStacked />,
  }),
  column.display({
    id: "id",
    header: t("common.id"),
    meta: { width: "w-44", priority: "low" },
    cell: ({ row: { original } }) => <CopyId id={original.id} of={original.event} />,
  }),
]);

const rowId = ({ id }: FailedMessage) => id;

/** Lists the failed messages of a queue. */
export const FailedMessages = ({ queue }: { queue: string }) => {
  const search = route.useSearch();
  const state = useTableSearch(search);
  const { may } = useAccess();
  const page = useFailedMessages(queue, search.cursor);
  return (
    <>
      <DataTable<FailedMessage>
        name="failed-messages"
        rows="messages"
        columns={columns}
        page={page}
        state={state}
        rowId={rowId}
        rowLabel={({ event, id }) => `${event} ${id}`}
        onOpen={({ id }) => state.show({ id })}
        exported={failedMessagesOf(queue).exported(undefined)}
        bulkActions={may("queue:update") ? messageActions(queue) : []}
        empty={<EmptyState title={t("queues.none", { queue })}>{t("queues.noneText")}</EmptyState>}
      />
      <MessageDrawer
        queue={queue}
        isOpen={search.id !== undefined && page.data !== undefined}
        message={page.data?.rows.find(({ id }) => id === search.id)}
        onOpenChange={() => state.show({ id: undefined })}
      />
    </>
  );
};

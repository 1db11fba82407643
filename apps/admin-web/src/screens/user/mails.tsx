import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { columnsOf } from "../../components/data-table/features.ts";
import { listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { DeliveryState } from "../../components/mails/delivery-state.tsx";
import { type Delivery, exportedDeliveries } from "../../components/mails/exported-deliveries.ts";
import type { User } from "./use-user.ts";
import type { UserSearch } from "./user-search.ts";

const { adminListDeliveries } = operations.mailer;

const column = columnsOf<Delivery>();

const wayTo = ({ id, recipient }: Delivery) =>
  ({ to: "/mail", search: { q: recipient.slice(0, 255), id } }) as const;

const columns = column.columns([
  column.display({
    id: "subject",
    header: "Subject",
    enableHiding: false,
    cell: ({ row: { original } }) => (
      <Link {...wayTo(original)} className="rounded font-medium hover:underline">
        <bdi>{original.subject}</bdi>
      </Link>
    ),
  }),
  column.display({
    id: "recipient",
    header: "To",
    meta: { priority: "medium" },
    cell: ({ row }) => <bdi>{row.original.recipient}</bdi>,
  }),
  column.display({
    id: "state",
    header: "State",
    meta: { width: "w-28", priority: "high" },
    cell: ({ row }) => <DeliveryState state={row.original.state} />,
  }),
  column.display({
    id: "lastError",
    header: "Error",
    meta: { priority: "low" },
    cell: ({ row: { original } }) => (
      <bdi title={original.lastError ?? ""}>{original.lastError}</bdi>
    ),
  }),
  column.display({
    id: "createdAt",
    header: "Requested",
    meta: { sortBy: "createdAt", width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
]);

const rowId = ({ id }: Delivery) => id;

interface MailsProps {
  user: User;
  search: UserSearch;
}

/** Lists the mails to a user's address. */
export const Mails = ({ user, search: given }: MailsProps) => {
  const search = { ...given, sort: "createdAt", dir: given.dir ?? ("desc" as const) };
  const state = { ...useTableSearch(given), search };
  const navigate = useNavigate();
  const input = {
    query: { ...pageOf({ dir: search.dir, cursor: search.cursor }), recipientIs: user.email },
  };
  const page = useQuery(listQuery(adminListDeliveries, "deliveries", input));
  return (
    <DataTable<Delivery>
      name="user-mails"
      noun={["email", "emails"]}
      columns={columns}
      page={page}
      state={state}
      rowId={rowId}
      rowLabel={({ subject }) => subject}
      onOpen={(delivery) => void navigate(wayTo(delivery))}
      exported={exportedDeliveries(input)}
      empty={
        <EmptyState title="No emails">
          No email was sent to this user in the last 30 days.
        </EmptyState>
      }
    />
  );
};

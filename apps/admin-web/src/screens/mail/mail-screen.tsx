import { getRouteApi } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { stateLabels } from "../../components/mails/delivery-state.tsx";
import { type Delivery, exportedDeliveries } from "../../components/mails/exported-deliveries.ts";
import { deliveriesInput, useDeliveries } from "./use-deliveries.ts";
import { useIsCapturing } from "./use-is-capturing.ts";

const route = getRouteApi("/shell/mail");

type State = Delivery["state"];

const states = [
  { value: "all" as const, label: "All emails" },
  ...Object.entries(stateLabels).map(([value, label]) => ({ value: value as State, label })),
];

const retry: BulkAction<Delivery> = {
  label: "Retry",
  consequence: "Failed emails are sent again. Other emails stay as they are.",
  run: ({ id }) => call(operations.mailer.adminRetryDelivery, { params: { id } }),
};

const rowId = ({ id }: Delivery) => id;

const Mailbox = () => (
  <Notice>
    <strong className="font-medium">Emails are kept here.</strong> No SMTP server is configured
    (option mail.smtpUrl), so emails are not sent. Open an email to read it and use its link.
  </Notice>
);

export const MailScreen = () => {
  const state = useTableSearch(route.useSearch());
  const { search, change } = state;
  const navigate = route.useNavigate();
  const page = useDeliveries(search);
  const isCapturing = useIsCapturing();
  const { may } = useAccess();
  const show = (id: string | undefined) =>
    void navigate({ to: ".", search: (was) => ({ ...was, id }), state: true });
  return (
    <Page title="Emails">
      {isCapturing && <Mailbox />}
      {isCapturing === undefined ? (
        // Avoids a layout shift: the text above the table depends on what is loading.
        <Skeleton className="min-h-80 flex-1" />
      ) : (
        <DataTable<Delivery>
          name="mail"
          noun={["email", "emails"]}
          columns={deliveryColumns}
          page={page}
          state={state}
          rowId={rowId}
          rowLabel={({ recipient, subject }) => `${subject} to ${recipient}`}
          onOpen={({ id }) => show(id)}
          searchLabel="Search by recipient"
          exported={exportedDeliveries(deliveriesInput(search))}
          isFiltered={search.state !== undefined}
          filters={
            <Select
              label="State"
              className="w-36"
              choices={states}
              value={search.state ?? "all"}
              onChange={(chosen) => change({ state: chosen === "all" ? undefined : chosen })}
            />
          }
          bulkActions={may("delivery:retry") ? [retry] : []}
          empty={
            <EmptyState title="No emails yet">
              Emails of the last 30 days appear here, such as invitations and password resets.
            </EmptyState>
          }
        />
      )}
      <DeliveryDrawer
        id={search.id}
        listed={page.data?.rows.find(({ id }) => id === search.id)}
        onClose={() => show(undefined)}
      />
    </Page>
  );
};

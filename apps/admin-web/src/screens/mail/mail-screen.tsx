import { showEmail } from "@latchkey/contracts/email-address.ts";
import { getRouteApi } from "@tanstack/react-router";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { FilterSelect } from "../../components/data-table/filter-select.tsx";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { stateLabels } from "../../components/mails/delivery-state.tsx";
import { type Delivery, mailList } from "../../components/mails/mail-list.ts";
import { deliveriesInput, useDeliveries } from "./use-deliveries.ts";
import { optionsQuery } from "../../components/options-query.ts";
import { t } from "../../texts.ts";

/** Whether mails are captured instead of sent, because no SMTP server is configured. Returns undefined while loading. */
const useIsCapturing = (): boolean | undefined => {
  const { may } = useAccess();
  const { data, isLoading } = useQuery({
    ...optionsQuery,
    enabled: may("settings:read"),
    select: ({ options }) =>
      options.some(({ name, value }) => name === "mail.smtpUrl" && value === null),
  });
  // Returns false if this admin may not read it or if the request fails, so that the screen does not wait.
  return data ?? (isLoading ? undefined : false);
};

const route = getRouteApi("/shell/mail");

type State = Delivery["state"];

const states = Object.entries(stateLabels).map(([value, label]) => ({
  value: value as State,
  label,
}));

const retry: BulkAction<Delivery> = {
  label: t("common.retry"),
  consequence: t("mails.retryText"),
  run: ({ id }) => call(operations.mailer.adminRetryDelivery, { params: { id } }),
};

const rowId = ({ id }: Delivery) => id;

const Mailbox = () => (
  <Notice>
    <strong className="font-medium">{t("mails.captured.title")}</strong> {t("mails.captured.text")}
  </Notice>
);

export const MailScreen = () => {
  const state = useTableSearch(route.useSearch());
  const { search, change, show } = state;
  const page = useDeliveries(search);
  const isCapturing = useIsCapturing();
  const { may } = useAccess();
  return (
    <Page title={t("screens.mail")}>
      {isCapturing && <Mailbox />}
      {isCapturing === undefined ? (
        // Avoids a layout shift: the text above the table depends on what is loading.
        <Skeleton className="min-h-80 flex-1" />
      ) : (
        <DataTable<Delivery>
          name="mail"
          rows="emails"
          columns={deliveryColumns}
          page={page}
          state={state}
          rowId={rowId}
          rowLabel={({ recipient, subject }) =>
            t("mails.row", { subject, recipient: showEmail(recipient) })
          }
          onOpen={({ id }) => show({ id })}
          searchLabel={t("mails.search")}
          exported={mailList.exported(deliveriesInput(search))}
          isFiltered={search.state !== undefined}
          filters={
            <FilterSelect
              label={t("common.state")}
              anyLabel={t("mails.all")}
              choices={states}
              value={search.state}
              onChange={(chosen) => change({ state: chosen })}
            />
          }
          bulkActions={may("delivery:retry") ? [retry] : []}
          empty={<EmptyState title={t("mails.none")}>{t("mails.noneText")}</EmptyState>}
        />
      )}
      <DeliveryDrawer
        id={search.id}
        listed={page.data?.rows.find(({ id }) => id === search.id)}
        onClose={() => show({ id: undefined })}
      />
    </Page>
  );
};

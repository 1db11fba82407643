import { useQuery } from "@tanstack/react-query";
import { againEvery } from "../../api/again-every.ts";
import type { CallReply } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { type ListedRow, listQuery } from "../../components/data-table/list-query.ts";
import { isUnderWay } from "../../components/mails/delivery-state.tsx";
import { pageOf } from "../../components/data-table/table-search.ts";
import { csvExport } from "../../components/export/csv-export.ts";
import { readPages } from "../../components/export/read-pages.ts";
import type { MailSearch } from "./mail-search.ts";

const { adminListDeliveries, adminListDeliveryAttempts } = operations.mailer;

export type Delivery = ListedRow<typeof adminListDeliveries, "deliveries">;

const againMs = 2000;

const inputOf = (search: MailSearch) => ({
  query: { ...pageOf(search), recipient: search.q, state: search.state },
});

/** Exports all mails that the address selects, without their content. */
export const exportedDeliveries = (search: MailSearch) =>
  csvExport<Delivery>({
    name: "mails",
    pages: readPages(adminListDeliveries, "deliveries", inputOf(search)),
    columns: {
      id: ({ id }) => id,
      recipient: ({ recipient }) => recipient,
      subject: ({ subject }) => subject,
      event: ({ event }) => event,
      state: ({ state }) => state,
      attempts: ({ attempts }) => attempts,
      lastError: ({ lastError }) => lastError,
      createdAt: ({ createdAt }) => createdAt,
      settledAt: ({ settledAt }) => settledAt,
    },
  });

/** Queries the page of mails that the address selects. Refreshes it while some of them are being delivered. */
export const useDeliveries = (search: MailSearch) =>
  useQuery({
    ...listQuery(adminListDeliveries, "deliveries", inputOf(search)),
    refetchInterval: (query) =>
      query.state.data?.deliveries.some(({ state }) => isUnderWay(state))
        ? againEvery(againMs)(query)
        : false,
  });

export type Attempt = CallReply<typeof adminListDeliveryAttempts>["attempts"][number];

/** Queries a mail with its attempts. Refreshes it while it is being delivered, so that a retry shows its outcome. */
export const useDelivery = (id: string) =>
  useQuery({
    ...operationQuery(adminListDeliveryAttempts, { params: { id } }),
    refetchInterval: (query) =>
      query.state.data && isUnderWay(query.state.data.delivery.state)
        ? againEvery(againMs)(query)
        : false,
  });

import type { CallInput } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import type { ListedRow } from "../data-table/list-query.ts";
import { csvExport } from "../export/csv-export.ts";
import { readPages } from "../export/read-pages.ts";

const { adminListDeliveries } = operations.mailer;

export type Delivery = ListedRow<typeof adminListDeliveries, "deliveries">;

/** Exports all emails of a list, without their content. */
export const exportedDeliveries = (input: CallInput<typeof adminListDeliveries>) =>
  csvExport<Delivery>({
    name: "emails",
    pages: readPages(adminListDeliveries, "deliveries", input),
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

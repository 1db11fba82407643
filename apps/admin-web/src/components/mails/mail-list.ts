import type { CallInput } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { type ListedRow, listOf } from "../data-table/list-query.ts";
import { csvMembers } from "../export/csv-export.ts";

const { adminListDeliveries } = operations.mailer;

export type Delivery = ListedRow<typeof adminListDeliveries, "deliveries">;

/** Emails. Exported files are without their content. */
export const mailList = listOf({
  operation: adminListDeliveries,
  member: "deliveries",
  inputOf: (input: CallInput<typeof adminListDeliveries>) => input,
  fileName: "emails",
  csv: {
    ...csvMembers<Delivery>("id", "recipient", "subject", "event", "state", "attempts"),
    ...csvMembers<Delivery>("lastError", "createdAt", "settledAt"),
  },
});

import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import type { FailedMessage } from "./use-queues.ts";

const { adminRetryMessage, adminDiscardMessage } = operations.identity;

/** Another admin has already retried or deleted the message, or a running attempt has finished. */
export const goneText = "The message is no longer failed.";

export const discardConsequence =
  "No service will ever process this message. This cannot be undone.";

const insist = async (asked: Promise<{ success: boolean }>): Promise<void> => {
  if (!(await asked).success) throw new ApiError({ status: 404, body: { message: goneText } });
};

/** Returns the actions on several failed messages of a queue. */
export const messageActions = (name: string): BulkAction<FailedMessage>[] => [
  {
    label: "Retry",
    consequence: "Every message is retried immediately, with all its attempts.",
    run: ({ id }) => insist(call(adminRetryMessage, { params: { name }, body: { id } })),
  },
  {
    label: "Discard",
    isDangerous: true,
    consequence: discardConsequence,
    run: ({ id }) => insist(call(adminDiscardMessage, { params: { name }, body: { id } })),
  },
];

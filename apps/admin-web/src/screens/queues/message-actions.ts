import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import type { FailedMessage } from "./use-queues.ts";
import { t } from "../../texts.ts";

const { adminRetryMessage, adminDiscardMessage } = operations.identity;

/** Another admin has already retried or deleted the message, or a running attempt has finished. */
export const goneText = t("queues.message.gone");

export const discardConsequence = t("queues.discard.text");

const insist = async (asked: Promise<{ success: boolean }>): Promise<void> => {
  if (!(await asked).success) throw new ApiError({ status: 404, body: { message: goneText } });
};

/** Returns the actions on several failed messages of a queue. */
export const messageActions = (name: string): BulkAction<FailedMessage>[] => [
  {
    label: t("common.retry"),
    consequence: t("queues.retryText"),
    run: ({ id }) => insist(call(adminRetryMessage, { params: { name }, body: { id } })),
  },
  {
    label: t("queues.discard.button"),
    isDangerous: true,
    consequence: discardConsequence,
    run: ({ id }) => insist(call(adminDiscardMessage, { params: { name }, body: { id } })),
  },
];

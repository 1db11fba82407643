import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { changeMessage, type ChangeMessageNeeds } from "./change-message.ts";

type AdminRetryMessage = typeof operations.identity.adminRetryMessage;

/**
 * Gives a failed message all its tries again. Only one of several concurrent calls does it. Throws `NOT_FOUND` for an
 * unknown queue.
 */
export const retryMessage = (
  deps: ChangeMessageNeeds,
  call: Call<AdminRetryMessage>,
): Promise<Answer<OperationReply<AdminRetryMessage>>> => changeMessage(deps, call, "retry");

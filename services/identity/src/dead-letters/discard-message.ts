import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { changeMessage, type ChangeMessageNeeds } from "./change-message.ts";

type AdminDiscardMessage = typeof operations.identity.adminDiscardMessage;

/**
 * Discards a failed message, so that it counts as done. Only one of several concurrent calls does it. Throws `NOT_FOUND`
 * for an unknown queue.
 */
export const discardMessage = (
  deps: ChangeMessageNeeds,
  call: Call<AdminDiscardMessage>,
): Promise<Answer<OperationReply<AdminDiscardMessage>>> => changeMessage(deps, call, "discard");

import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { changeMessage, type ChangeMessageNeeds } from "./change-message.ts";

type AdminDiscardMessage = typeof operations.identity.adminDiscardMessage;

/** Has a failed message count as done; of many at once one does it. Throws `NOT_FOUND` for the name of no queue. */
export const discardMessage = (
  deps: ChangeMessageNeeds,
  call: Call<AdminDiscardMessage>,
): Promise<Answer<OperationReply<AdminDiscardMessage>>> => changeMessage(deps, call, "discard");

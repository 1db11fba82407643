import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkQueue } from "./check-queue.ts";

type AdminRetryMessage = typeof operations.identity.adminRetryMessage;
type AdminDiscardMessage = typeof operations.identity.adminDiscardMessage;

export type ChangeMessageNeeds = Pick<Deps, "bus" | "clock" | "db">;

/** The bus decides of many at once who did it, and only that is noted. Throws `NOT_FOUND` for the name of no queue. */
export const changeMessage = async (
  deps: ChangeMessageNeeds,
  call: Call<AdminRetryMessage | AdminDiscardMessage>,
  action: "queue.retried" | "queue.discarded",
): Promise<Answer<OperationReply<AdminRetryMessage>>> => {
  const { name } = call.params;
  const { id } = call.body;
  checkQueue(name);
  const change = action === "queue.retried" ? deps.bus.retry : deps.bus.discard;
  const success = await change(name, id);
  if (success)
    await appendAudit(deps.db, deps, {
      actor: sessionActor(call.session),
      subject: { kind: "queue", id: name },
      action,
      caller: call.caller,
      after: { messageId: id },
    });
  return { reply: { success } };
};

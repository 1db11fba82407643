import type { OperationReply, operations } from "@latchkey/contracts";
import {
  type Answer,
  appendAudit,
  type AuditEntry,
  type Call,
  sessionActor,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkQueue } from "./check-queue.ts";

type AdminRetryMessage = typeof operations.identity.adminRetryMessage;
type AdminDiscardMessage = typeof operations.identity.adminDiscardMessage;

export type ChangeMessageNeeds = Pick<Deps, "bus" | "clock" | "db">;

/** The audit actions before and after the request to the bus. */
const actions = {
  retry: ["queue.retry-requested", "queue.retried"],
  discard: ["queue.discard-requested", "queue.discarded"],
} as const;

/**
 * Retries or discards a message. The bus decides which of several concurrent requests does it. The bus shares no
 * transaction with the audit. The admin is therefore recorded before the request, and the outcome afterwards. Throws
 * `NOT_FOUND` for an unknown queue.
 */
export const changeMessage = async (
  deps: ChangeMessageNeeds,
  call: Call<AdminRetryMessage | AdminDiscardMessage>,
  change: "retry" | "discard",
): Promise<Answer<OperationReply<AdminRetryMessage>>> => {
  const { name } = call.params;
  const { id } = call.body;
  checkQueue(name);
  const note = (action: string, outcome?: AuditEntry["outcome"]) =>
    appendAudit(deps.db, deps, {
      actor: sessionActor(call.session),
      subject: { kind: "queue", id: name },
      action,
      caller: call.caller,
      after: { messageId: id },
      ...(outcome && { outcome }),
    });
  const [requested, done] = actions[change];
  await note(requested);
  const success = await deps.bus[change](name, id);
  await note(done, success ? "success" : "refused");
  return { reply: { success } };
};

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

/** What is noted before the bus is asked, and what afterwards. */
const actions = {
  retry: ["queue.retry-requested", "queue.retried"],
  discard: ["queue.discard-requested", "queue.discarded"],
} as const;

/**
 * The bus decides of many at once who did it. It shares no transaction with the audit: who asks is noted before, so that nothing
 * is done in nobody's name, and what came of it afterwards. Throws `NOT_FOUND` for the name of no queue.
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

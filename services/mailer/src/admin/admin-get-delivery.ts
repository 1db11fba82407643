import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import { openContent } from "../deliveries/mail-content.ts";
import type { Deps } from "../deps.ts";
import { findDelivery } from "./queries.ts";

type AdminGetDelivery = typeof operations.mailer.adminGetDelivery;

/**
 * Shows a mail with what it says, and notes in the audit who read it: a link in it may open its recipient's account. Throws
 * `DELIVERY_NOT_FOUND`.
 */
export const adminGetDelivery = async (
  deps: Pick<Deps, "clock" | "db" | "ring">,
  { params: { id }, caller, session }: Call<AdminGetDelivery>,
): Promise<Answer<OperationReply<AdminGetDelivery>>> => {
  const found = await findDelivery(deps.db, id);
  if (!found) throw new WireError("DELIVERY_NOT_FOUND");
  const { contentSealed, ...row } = found;
  const content = openContent(deps.ring, contentSealed);
  await appendAudit(deps.db, deps, {
    actor: sessionActor(session),
    subject: { kind: "delivery", id },
    action: "delivery.read",
    caller,
  });
  const { text = null, html = null, link = null } = content ?? {};
  return { reply: { ...row, text, html, link } };
};

import { isAdmin, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { MailerConfig } from "../config.ts";
import { openContent } from "../deliveries/mail-content.ts";
import type { Deps } from "../deps.ts";
import { findDelivery } from "./queries.ts";

type AdminGetDelivery = typeof operations.mailer.adminGetDelivery;
type Needs = Pick<Deps, "clock" | "db" | "ring"> & { config: Pick<MailerConfig, "admin"> };

/**
 * Shows a mail with what it says, and notes in the audit who read it: a link in it may open its recipient's account, an admin's
 * too. So a mail around a link is not opened for somebody who may read mails, but is no admin: they could ask for a new password
 * in an admin's name, and choose it. Throws `DELIVERY_NOT_FOUND`.
 */
export const adminGetDelivery = async (
  deps: Needs,
  { params: { id }, caller, session }: Call<AdminGetDelivery>,
): Promise<Answer<OperationReply<AdminGetDelivery>>> => {
  const found = await findDelivery(deps.db, id);
  if (!found) throw new WireError("DELIVERY_NOT_FOUND");
  const { contentSealed, ...row } = found;
  const content = openContent(deps.ring, contentSealed);
  const isWithheld = content?.link !== undefined && !isAdmin(deps.config.admin, session.user);
  await appendAudit(deps.db, deps, {
    actor: sessionActor(session),
    subject: { kind: "delivery", id },
    action: "delivery.read",
    outcome: isWithheld ? "refused" : "success",
    caller,
  });
  const { text = null, html = null, link = null } = isWithheld ? {} : (content ?? {});
  return { reply: { ...row, text, html, link, isWithheld } };
};

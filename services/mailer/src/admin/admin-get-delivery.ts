import {
  mayActOnEverybody,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { MailerConfig } from "../config.ts";
import { openContent } from "../deliveries/mail-content.ts";
import type { Deps } from "../deps.ts";
import { findDelivery } from "./queries.ts";

type AdminGetDelivery = typeof operations.mailer.adminGetDelivery;
type Needs = Pick<Deps, "clock" | "db" | "ring"> & { config: Pick<MailerConfig, "admin"> };

/**
 * Returns a mail with its content, and records the reader in the audit log. A link in it may give access to the recipient's
 * account: a caller could request a password reset for a user and then set the password. So the content of a mail with a link
 * is withheld from a caller who lacks any permission that some user can have. Throws `DELIVERY_NOT_FOUND`.
 */
export const adminGetDelivery = async (
  deps: Needs,
  { params: { id }, caller, session }: Call<AdminGetDelivery>,
): Promise<Answer<OperationReply<AdminGetDelivery>>> => {
  const found = await findDelivery(deps.db, id);
  if (!found) throw new WireError("DELIVERY_NOT_FOUND");
  const { contentSealed, ...row } = found;
  const content = openContent(deps.ring, contentSealed);
  const isWithheld =
    content?.link !== undefined && !mayActOnEverybody(deps.config.admin, session.user);
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

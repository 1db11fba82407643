import {
  mayActOnEverybody,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { MailerConfig } from "../config.ts";
import type { DeliveryState } from "../db/tables.ts";
import { type MailContent, openContent } from "../deliveries/mail-content.ts";
import type { Deps } from "../deps.ts";
import { findDelivery } from "./queries.ts";

type AdminGetDelivery = typeof operations.mailer.adminGetDelivery;
type Needs = Pick<Deps, "clock" | "db" | "ring"> & { config: Pick<MailerConfig, "admin"> };

/**
 * Returns whether the content of a mail is withheld. A link or code in it may give access to the recipient's account: a caller
 * could request a password reset for a user and then set the password. So it is withheld from a caller who lacks any permission
 * that some user can have. Content that is deleted once its mail is settled is withheld from everybody, because its link or code
 * signs in. Only a captured mail, which exists outside production, shows it.
 */
const isContentWithheld = (
  { link, code, isDeletedOnceSettled = false }: MailContent,
  { state, mayReadLinks }: { state: DeliveryState; mayReadLinks: boolean },
): boolean => {
  if (isDeletedOnceSettled && state !== "captured") return true;
  return (link !== undefined || code !== undefined) && !mayReadLinks;
};

/** Returns a mail with its content, and records the reader in the audit log. Throws `DELIVERY_NOT_FOUND`. */
export const adminGetDelivery = async (
  deps: Needs,
  { params: { id }, caller, session }: Call<AdminGetDelivery>,
): Promise<Answer<OperationReply<AdminGetDelivery>>> => {
  const found = await findDelivery(deps.db, id);
  if (!found) throw new WireError("DELIVERY_NOT_FOUND");
  const { contentSealed, ...row } = found;
  const content = openContent(deps.ring, contentSealed);
  const mayReadLinks = mayActOnEverybody(deps.config.admin, session.user);
  const isWithheld =
    contentSealed === "" ||
    (content !== undefined && isContentWithheld(content, { state: row.state, mayReadLinks }));
  await appendAudit(deps.db, deps, {
    actor: sessionActor(session),
    subject: { kind: "delivery", id },
    action: "delivery.read",
    outcome: isWithheld ? "refused" : "success",
    caller,
  });
  const { locale = null } = content ?? {};
  const { text = null, html = null, link = null } = isWithheld ? {} : (content ?? {});
  return { reply: { ...row, text, html, link, locale, isWithheld } };
};

import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findShownDelivery, listAttempts } from "./queries.ts";

type AdminListDeliveryAttempts = typeof operations.mailer.adminListDeliveryAttempts;

/**
 * Returns a mail without its content, and its attempts. The reasons contain neither link nor code, so reading them is not audited. Throws
 * `DELIVERY_NOT_FOUND`.
 */
export const adminListDeliveryAttempts = async (
  { db }: Pick<Deps, "db">,
  { params: { id } }: Call<AdminListDeliveryAttempts>,
): Promise<Answer<OperationReply<AdminListDeliveryAttempts>>> => {
  const [delivery, attempts] = await Promise.all([findShownDelivery(db, id), listAttempts(db, id)]);
  if (!delivery) throw new WireError("DELIVERY_NOT_FOUND");
  return { reply: { delivery, attempts } };
};

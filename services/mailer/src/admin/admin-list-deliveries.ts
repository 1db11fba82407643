import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, readList } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deliveryList } from "./queries.ts";

type AdminListDeliveries = typeof operations.mailer.adminListDeliveries;

/**
 * Returns a page of mails for admins, by default newest first. A search matches a part of the recipient's address. A term
 * without three consecutive letters or digits matches only the beginning. Throws `VALIDATION_ERROR` for an invalid limit,
 * offset or cursor.
 */
export const adminListDeliveries = async (
  { db }: Pick<Deps, "db">,
  { query }: Call<AdminListDeliveries>,
): Promise<Answer<OperationReply<AdminListDeliveries>>> => {
  const { rows: deliveries, ...page } = await readList(db, deliveryList, query);
  return { reply: { deliveries, ...page } };
};

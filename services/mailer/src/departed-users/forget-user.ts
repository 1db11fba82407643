import type { Event } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { addressMacs } from "./address-macs.ts";
import { deleteDeliveriesOf, insertDeparted, lockForDeparture } from "./queries.ts";

/**
 * Deletes all mails that name a deleted user, in any state. A mail that was requested before and arrives later is neither
 * stored nor sent.
 */
export const forgetUser = (
  { db, clock, ring }: Pick<Deps, "clock" | "db" | "ring">,
  { data, occurredAt }: Event<"user.deleted">,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { userId } = data;
    const email = data.email?.toLowerCase();
    const deletedAt = new Date(occurredAt);
    await lockForDeparture(trx);
    const addressMac = email === undefined ? null : addressMacs(ring, email)[0];
    await insertDeparted(trx, { userId, addressMac, departedAt: deletedAt });
    const deliveries = await deleteDeliveriesOf(trx, { userId, email, deletedAt });
    if (deliveries === 0) return;
    await appendAudit(
      trx,
      { clock },
      {
        actor: { kind: "system" },
        subject: { kind: "user", id: userId },
        action: "delivery.deleted",
        before: { deliveries },
      },
    );
  });

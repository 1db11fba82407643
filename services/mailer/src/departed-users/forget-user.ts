import type { Event } from "@latchkey/contracts";
import { hmacSha256, type SecretRing } from "@latchkey/crypto";
import { appendAudit } from "@latchkey/service-kit/audit";
import { inBatches } from "@latchkey/service-kit/database";
import type { Deps } from "../deps.ts";
import { deleteDeliveriesOf, deleteDeparted, insertDeparted, lockForDeparture } from "./queries.ts";

/** Returns the MACs of an address, one per secret, which identify it without revealing it. Store the first one. */
export const addressMacs = (ring: SecretRing, email: string): [string, ...string[]] => {
  const address = email.toLowerCase();
  const [current, ...older] = ring.derive("departed address");
  const macOf = (key: typeof current) => hmacSha256(key, address, "base64url");
  return [macOf(current), ...older.map(macOf)];
};

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

/** Longer than the bus usually needs to deliver requests from before the deletion. */
const keptMilliseconds = 86_400_000;
const batchSize = 1_000;

/** Deletes the records of users who were deleted more than a day ago. */
export const sweepDepartedUsers = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - keptMilliseconds);
  await inBatches(batchSize, (limit) => deleteDeparted(db, before, limit));
};

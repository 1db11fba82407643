import { appendAudits } from "@latchkey/service-kit/audit";
import { inBatches } from "@latchkey/service-kit/database";
import type { Deps } from "../deps.ts";
import { alignMemberWebhooks } from "../endpoints/system-changes.ts";
import {
  deleteDeparted,
  deleteFormerSecrets,
  deleteOldContactMails,
  deleteOldDeliveries,
  deleteOldEvents,
  deleteOldHours,
  deleteOrphans,
  forgetDeletedEndpoints,
  listDeletedEndpoints,
  orphanTables,
} from "./retention/queries.ts";

const batchSize = 1_000;
const dayMilliseconds = 86_400_000;
/** Longer than any transaction that may still add deliveries of a deleted endpoint. */
const forgetMilliseconds = 3_600_000;

/** Deletes all that deleted endpoints left. The cost depends on their rows only. */
const deleteLeft = async ({ clock, db }: Pick<Deps, "clock" | "db">): Promise<void> => {
  for (const endpointId of await listDeletedEndpoints(db))
    for (const table of orphanTables)
      await inBatches(batchSize, (limit) => deleteOrphans(db, table, { endpointId, limit }));
  await forgetDeletedEndpoints(db, new Date(clock() - forgetMilliseconds));
};

/** Deletes endpoints of deleted organizations, whose members can no longer do so. Returns their number. */
const endDeparted = ({ clock, db }: Pick<Deps, "clock" | "db">, limit: number): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const departed = await deleteDeparted(trx, limit);
    await appendAudits(
      trx,
      { clock },
      departed.map(({ id, organizationId }) => ({
        actor: { kind: "system" },
        subject: { kind: "webhook", id },
        action: "webhook.deleted",
        before: { organizationId },
      })),
    );
    return departed.length;
  });

/**
 * Deletes events and deliveries after their retention, pending ones too, all that deleted endpoints left, and former secrets. Applies the
 * option of organizations' webhooks.
 */
export const sweepDeliveries = async ({
  clock,
  config,
  db,
}: Pick<Deps, "clock" | "config" | "db">): Promise<void> => {
  await alignMemberWebhooks({ clock, config, db });
  const before = new Date(clock() - config.webhooks.retentionDays * dayMilliseconds);
  await inBatches(batchSize, (limit) => deleteOldDeliveries(db, before, limit));
  // Before the events, which tell of the deletion.
  await inBatches(batchSize, (limit) => endDeparted({ clock, db }, limit));
  await inBatches(batchSize, (limit) => deleteOldEvents(db, before, limit));
  await deleteLeft({ clock, db });
  await deleteOldHours(db, before);
  await deleteOldContactMails(db, before);
  await deleteFormerSecrets(db, new Date(clock()));
};

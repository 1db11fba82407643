import { appendAudits, inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { hastenLanes, resumeWithheld, withholdFromMembers } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db">;

const batchSize = 100;

const alignSome = (
  { clock, config: { membersHaveWebhooks: isAllowed }, db }: Needs,
  limit: number,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const change = isAllowed ? resumeWithheld : withholdFromMembers;
    const ids = await change(trx, { limit, now: new Date(clock()) });
    const [before, after] = isAllowed ? ["paused", "active"] : ["active", "paused"];
    await appendAudits(
      trx,
      { clock },
      ids.map((id) => ({
        actor: { kind: "system" },
        subject: { kind: "webhook", id },
        action: isAllowed ? "webhook.resumed" : "webhook.paused",
        before: { state: before },
        after: { state: after, reason: "not-allowed" },
      })),
    );
    if (isAllowed) for (const id of ids) await hastenLanes(trx, id);
    return ids.length;
  });

/**
 * Pauses the webhooks of members while the option that allows them is off, and resumes those when it is on again. Their events wait in the
 * meantime. One that a user paused keeps that state.
 */
export const alignMemberWebhooks = (deps: Needs): Promise<number> =>
  inBatches(batchSize, (limit) => alignSome(deps, limit));

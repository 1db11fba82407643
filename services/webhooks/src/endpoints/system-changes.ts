import { appendAudit, appendAudits } from "@latchkey/service-kit/audit";
import { inBatches } from "@latchkey/service-kit/database";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Kysely } from "kysely";
import type { StateReason, Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { withoutQuery } from "./event-reach.ts";
import {
  countContactMail,
  type EndpointRow,
  hastenLanes,
  lockActive,
  lockFailing,
  resumeWithheld,
  updateEndpoint,
  withholdFromMembers,
} from "./queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "newEventId" | "ring" | "wakeRelay">;

const end = async (
  trx: Kysely<Tables>,
  deps: Needs,
  { endpoint, reason }: { endpoint: EndpointRow; reason: Exclude<StateReason, "user"> },
): Promise<void> => {
  const state = reason === "gone" ? "disabled" : "paused";
  const updatedAt = new Date(deps.clock());
  await updateEndpoint(trx, endpoint.id, { state, stateReason: reason, updatedAt });
  await appendAudit(trx, deps, {
    actor: { kind: "system" },
    subject: { kind: "webhook", id: endpoint.id },
    action: `webhook.${state}`,
    before: { state: endpoint.state },
    after: { state, reason },
  });
};

/** Pauses those of the endpoints that have failed for long, and tells their contacts by mail. */
export const pauseFailing = async (deps: Needs, ids: readonly string[]): Promise<number> => {
  const seconds = deps.config.webhooks.pauseAfter;
  const paused = await deps.db.transaction().execute(async (trx) => {
    const endpoints = await lockFailing(trx, { ids, seconds });
    for (const endpoint of endpoints) {
      await end(trx, deps, { endpoint, reason: "failures" });
      const { contactEmail, contactName, contactUserId: userId } = endpoint;
      // An address that no user has proven, of an earlier version or after a change, may be a stranger's.
      if (userId === null || contactEmail === "") continue;
      if (!(await countContactMail(trx, { userId, now: new Date(deps.clock()) }))) continue;
      const { description, failingSince, url } = endpoint;
      await appendEvent(trx, deps, {
        name: "webhook.paused",
        data: {
          userId,
          email: contactEmail,
          name: contactName,
          url: withoutQuery(url),
          description,
          failingSince: (failingSince ?? new Date(deps.clock())).toISOString(),
        },
      });
    }
    return endpoints.length;
  });
  if (paused > 0) deps.wakeRelay();
  return paused;
};

/** Disables an endpoint whose receiver answered that it is gone. */
export const disableGone = (deps: Needs, id: string): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const endpoint = await lockActive(trx, id);
    if (endpoint) await end(trx, deps, { endpoint, reason: "gone" });
  });

type AlignNeeds = Pick<Deps, "clock" | "config" | "db">;

const batchSize = 100;

const alignSome = (
  { clock, config: { membersHaveWebhooks: isAllowed }, db }: AlignNeeds,
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
export const alignMemberWebhooks = (deps: AlignNeeds): Promise<number> =>
  inBatches(batchSize, (limit) => alignSome(deps, limit));

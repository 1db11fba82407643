import { appendAudit, appendEvent } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { StateReason, Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type EndpointRow, lockActive, lockFailing, updateEndpoint } from "./queries.ts";

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

/** Returns a URL without its query, which may hold a secret of the receiver. */
const shownUrl = (text: string): string => {
  const url = URL.parse(text);
  return url ? url.origin + url.pathname : text;
};

/** Pauses those of the endpoints that have failed for long, and tells their contacts by mail. */
export const pauseFailing = async (deps: Needs, ids: readonly string[]): Promise<number> => {
  const seconds = deps.config.webhooks.pauseAfter;
  const paused = await deps.db.transaction().execute(async (trx) => {
    const endpoints = await lockFailing(trx, { ids, seconds });
    for (const endpoint of endpoints) {
      await end(trx, deps, { endpoint, reason: "failures" });
      if (endpoint.contactEmail === "") continue; // its user was deleted
      const { contactEmail, contactName, createdBy, description, failingSince, url } = endpoint;
      await appendEvent(trx, deps, {
        name: "webhook.paused",
        data: {
          userId: createdBy,
          email: contactEmail,
          name: contactName,
          url: shownUrl(url),
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

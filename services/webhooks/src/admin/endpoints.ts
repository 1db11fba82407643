import { hasPermissions, operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { readList } from "@latchkey/service-kit/lists";
import type { Deps, Handler } from "../deps.ts";
import { sendTestEvent, showDelivery } from "../deliveries/manage-deliveries.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  rotateSecret,
  setEndpointState,
} from "../endpoints/change-endpoint.ts";
import { checkEventReach, withoutQuery } from "../endpoints/event-reach.ts";
import { endpointList, type EndpointRow, showEndpoint } from "../endpoints/queries.ts";

type AdminCall = Pick<Call<(typeof operations.webhooks)["adminUpdateWebhook"]>, "session">;

/** Returns a check that the caller may receive the events of an endpoint, before and after a change of them. */
const reachOf =
  (deps: Deps, { session }: AdminCall, later?: readonly string[]) =>
  (row: EndpointRow): void => {
    checkEventReach(deps, session, row.events);
    if (later) checkEventReach(deps, session, later);
  };

const { permission: mayUpdate } = operations.webhooks.adminUpdateWebhook;

/** Removes the query of a URL unless the caller may change webhooks. */
export const hideQuery = <Row extends { url: string }>(
  { config }: Pick<Deps, "config">,
  { session }: AdminCall,
  row: Row,
): Row => {
  const wanted = { [mayUpdate.resource]: [mayUpdate.action] };
  const isShown = hasPermissions(config.admin, session.user, wanted);
  return isShown ? row : { ...row, url: withoutQuery(row.url) };
};

/** Returns a page of webhooks, by default newest first. */
export const adminListWebhooks: Handler<"adminListWebhooks"> = async (deps, call) => {
  const { rows, ...page } = await readList(deps.db, endpointList, call.query);
  return { reply: { webhooks: rows.map((row) => hideQuery(deps, call, row)), ...page } };
};

/** Throws `WEBHOOK_NOT_FOUND`. */
export const adminGetWebhook: Handler<"adminGetWebhook"> = async (deps, call) => ({
  reply: hideQuery(deps, call, showEndpoint(await getEndpoint(deps, call.params))),
});

/** Throws `YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS` if the caller may not list the objects of the events. */
export const adminCreateWebhook: Handler<"adminCreateWebhook"> = async (deps, call) => {
  const { organizationId = null, ...given } = call.body;
  checkEventReach(deps, call.session, given.events);
  return { reply: await createEndpoint(deps, call, { ...given, organizationId }) };
};

export const adminUpdateWebhook: Handler<"adminUpdateWebhook"> = async (deps, call) => ({
  reply: await changeEndpoint(deps, call, {
    ...call.params,
    given: call.body,
    check: reachOf(deps, call, call.body.events),
  }),
});

export const adminRotateWebhookSecret: Handler<"adminRotateWebhookSecret"> = async (
  deps,
  call,
) => ({
  reply: await rotateSecret(deps, call, {
    ...call.params,
    ...call.body,
    check: reachOf(deps, call),
  }),
});

export const adminPauseWebhook: Handler<"adminPauseWebhook"> = async (deps, call) => ({
  reply: await setEndpointState(deps, call, {
    ...call.params,
    state: "paused",
    check: reachOf(deps, call),
  }),
});

export const adminResumeWebhook: Handler<"adminResumeWebhook"> = async (deps, call) => ({
  reply: await setEndpointState(deps, call, {
    ...call.params,
    state: "active",
    check: reachOf(deps, call),
  }),
});

export const adminTestWebhook: Handler<"adminTestWebhook"> = async (deps, call) => {
  reachOf(deps, call)(await getEndpoint(deps, call.params));
  return { reply: showDelivery(await sendTestEvent(deps, call, call.params.id)) };
};

export const adminDeleteWebhook: Handler<"adminDeleteWebhook"> = async (deps, call) => {
  await deleteEndpoint(deps, call, { ...call.params, check: reachOf(deps, call) });
  return { reply: { success: true } };
};

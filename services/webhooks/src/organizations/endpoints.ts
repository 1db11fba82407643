import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, readList } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deliveryList } from "../deliveries/queries.ts";
import { retryDelivery } from "../deliveries/retry-deliveries.ts";
import { getDelivery, showDelivery, showDetails } from "../deliveries/show-delivery.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  rotateSecret,
  setEndpointState,
} from "../endpoints/change-endpoint.ts";
import { endpointList, showEndpoint } from "../endpoints/queries.ts";
import { sendTestEvent } from "../endpoints/send-test-event.ts";
import { checkMember, type WebhookAction } from "./check-member.ts";

type Operations = typeof operations.webhooks;
type Handler<Name extends keyof Operations> = (
  deps: Deps,
  call: Call<Operations[Name]>,
) => Promise<Answer<OperationReply<Operations[Name]>>>;

type MemberCall = Parameters<typeof checkMember>[1];

const check = (deps: Deps, call: MemberCall, organizationId: string, action: WebhookAction) =>
  checkMember(deps, call, { organizationId, action });

export const listOrganizationWebhooks: Handler<"listOrganizationWebhooks"> = async (deps, call) => {
  await check(deps, call, call.query.organizationId, "read");
  const { rows: webhooks, ...page } = await readList(deps.db, endpointList, call.query);
  return { reply: { webhooks, ...page } };
};

/** Throws `WEBHOOK_URL_NOT_ALLOWED` and `WEBHOOK_LIMIT_REACHED`. */
export const createOrganizationWebhook: Handler<"createOrganizationWebhook"> = async (
  deps,
  call,
) => {
  await check(deps, call, call.body.organizationId, "create");
  return { reply: await createEndpoint(deps, call, call.body) };
};

/** Throws `WEBHOOK_NOT_FOUND`, also for a webhook of another organization. */
export const updateOrganizationWebhook: Handler<"updateOrganizationWebhook"> = async (
  deps,
  call,
) => {
  const { webhookId: id, organizationId, state, ...given } = call.body;
  await check(deps, call, organizationId, "update");
  const named = { id, organizationId };
  const changed = await changeEndpoint(deps, call, named, given);
  return { reply: state ? await setEndpointState(deps, call, named, state) : changed };
};

export const rotateOrganizationWebhookSecret: Handler<"rotateOrganizationWebhookSecret"> = async (
  deps,
  call,
) => {
  const { webhookId: id, ...named } = call.body;
  await check(deps, call, named.organizationId, "update");
  return { reply: await rotateSecret(deps, call, { id, ...named }) };
};

export const testOrganizationWebhook: Handler<"testOrganizationWebhook"> = async (deps, call) => {
  const { webhookId: id, organizationId } = call.body;
  await check(deps, call, organizationId, "update");
  await getEndpoint(deps, { id, organizationId });
  return { reply: showDelivery(await sendTestEvent(deps, call, id)) };
};

export const deleteOrganizationWebhook: Handler<"deleteOrganizationWebhook"> = async (
  deps,
  call,
) => {
  const { webhookId: id, organizationId } = call.body;
  await check(deps, call, organizationId, "delete");
  await deleteEndpoint(deps, call, { id, organizationId });
  return { reply: { success: true } };
};

export const listOrganizationWebhookDeliveries: Handler<
  "listOrganizationWebhookDeliveries"
> = async (deps, call) => {
  const { webhookId: id, organizationId, ...query } = call.query;
  await check(deps, call, organizationId, "read");
  const { id: endpointId } = showEndpoint(await getEndpoint(deps, { id, organizationId }));
  const { rows, ...page } = await readList(deps.db, deliveryList, { ...query, endpointId });
  return { reply: { deliveries: rows.map(showDelivery), ...page } };
};

/** Throws `WEBHOOK_DELIVERY_NOT_FOUND`, also for a delivery of another organization. */
export const getOrganizationWebhookDelivery: Handler<"getOrganizationWebhookDelivery"> = async (
  deps,
  call,
) => {
  const { deliveryId: id, organizationId } = call.query;
  await check(deps, call, organizationId, "read");
  return { reply: await showDetails(deps, await getDelivery(deps, { id, organizationId })) };
};

export const retryOrganizationWebhookDelivery: Handler<"retryOrganizationWebhookDelivery"> = async (
  deps,
  call,
) => {
  const { deliveryId: id, organizationId } = call.body;
  await check(deps, call, organizationId, "update");
  const { row } = await getDelivery(deps, { id, organizationId });
  return { reply: showDelivery(await retryDelivery(deps, call, row.id)) };
};

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
import { endpointList, type EndpointRow, showEndpoint } from "../endpoints/queries.ts";
import { sendTestEvent } from "../endpoints/send-test-event.ts";
import { checkMember, findMemberReach } from "./check-member.ts";

type Operations = typeof operations.webhooks;
type Handler<Name extends keyof Operations> = (
  deps: Deps,
  call: Call<Operations[Name]>,
) => Promise<Answer<OperationReply<Operations[Name]>>>;

export const listOrganizationWebhooks: Handler<"listOrganizationWebhooks"> = async (deps, call) => {
  await checkMember(deps, call, { organizationId: call.query.organizationId, action: "read" });
  const { rows, ...page } = await readList(deps.db, endpointList, call.query);
  return { reply: { webhooks: rows.map(showEndpoint), ...page } };
};

/** Throws `WEBHOOK_URL_NOT_ALLOWED` and `WEBHOOK_LIMIT_REACHED`. */
export const createOrganizationWebhook: Handler<"createOrganizationWebhook"> = async (
  deps,
  call,
) => {
  const { organizationId, events } = call.body;
  await checkMember(deps, call, { organizationId, action: "create" });
  const checkReach = await findMemberReach(deps, call, organizationId);
  checkReach(events);
  return { reply: await createEndpoint(deps, call, { ...call.body, byMembers: true }) };
};

/** Throws `WEBHOOK_NOT_FOUND`, also for a webhook of another organization. */
export const updateOrganizationWebhook: Handler<"updateOrganizationWebhook"> = async (
  deps,
  call,
) => {
  const { webhookId: id, organizationId, state, ...given } = call.body;
  await checkMember(deps, call, { organizationId, action: "update" });
  const checkReach = await findMemberReach(deps, call, organizationId);
  const check = ({ events }: EndpointRow) => {
    checkReach(events);
    if (given.events) checkReach(given.events);
  };
  const named = { id, organizationId, check };
  const changed = await changeEndpoint(deps, call, { ...named, given });
  return { reply: state ? await setEndpointState(deps, call, { ...named, state }) : changed };
};

export const rotateOrganizationWebhookSecret: Handler<"rotateOrganizationWebhookSecret"> = async (
  deps,
  call,
) => {
  const { webhookId: id, ...named } = call.body;
  await checkMember(deps, call, { organizationId: named.organizationId, action: "update" });
  const checkReach = await findMemberReach(deps, call, named.organizationId);
  const check = ({ events }: EndpointRow) => checkReach(events);
  return { reply: await rotateSecret(deps, call, { id, ...named, check }) };
};

export const testOrganizationWebhook: Handler<"testOrganizationWebhook"> = async (deps, call) => {
  const { webhookId: id, organizationId } = call.body;
  await checkMember(deps, call, { organizationId, action: "update" });
  await getEndpoint(deps, { id, organizationId });
  return { reply: showDelivery(await sendTestEvent(deps, call, id)) };
};

export const deleteOrganizationWebhook: Handler<"deleteOrganizationWebhook"> = async (
  deps,
  call,
) => {
  const { webhookId: id, organizationId } = call.body;
  await checkMember(deps, call, { organizationId, action: "delete" });
  await deleteEndpoint(deps, call, { id, organizationId });
  return { reply: { success: true } };
};

export const listOrganizationWebhookDeliveries: Handler<
  "listOrganizationWebhookDeliveries"
> = async (deps, call) => {
  const { webhookId: id, organizationId, ...query } = call.query;
  await checkMember(deps, call, { organizationId, action: "read" });
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
  await checkMember(deps, call, { organizationId, action: "read" });
  const checkReach = await findMemberReach(deps, call, organizationId);
  const found = await getDelivery(deps, { id, organizationId });
  checkReach([found.row.eventType]);
  return { reply: await showDetails(deps, found) };
};

export const retryOrganizationWebhookDelivery: Handler<"retryOrganizationWebhookDelivery"> = async (
  deps,
  call,
) => {
  const { deliveryId: id, organizationId } = call.body;
  await checkMember(deps, call, { organizationId, action: "update" });
  const { row } = await getDelivery(deps, { id, organizationId });
  return { reply: showDelivery(await retryDelivery(deps, call, row.id)) };
};

import {
  applicationEvents,
  applicationEventTypes,
  type Caller,
  type ErrorCode,
  type OperationReply,
  operations,
  WireError,
} from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import { readList } from "@latchkey/service-kit/lists";
import {
  getDelivery,
  retryDelivery,
  sendTestEvent,
  showDelivery,
  showDetails,
} from "../deliveries/manage-deliveries.ts";
import { deliveryList } from "../deliveries/queries.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  rotateSecret,
  setEndpointState,
} from "../endpoints/change-endpoint.ts";
import { withoutQuery } from "../endpoints/event-reach.ts";
import { endpointList, type EndpointRow, showEndpoint } from "../endpoints/queries.ts";

/** An action on webhooks that a role of an organization may permit. */
type WebhookAction = "create" | "read" | "update" | "delete";

type Verdict = OperationReply<typeof operations.organization.authorizeMember>["verdict"];

const errors: Record<Exclude<Verdict, "allowed">, ErrorCode> = {
  forbidden: "YOU_ARE_NOT_ALLOWED_TO_MANAGE_WEBHOOKS_OF_THIS_ORGANIZATION",
  "not a member": "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  "second factor required": "TWO_FACTOR_REQUIRED",
};

type Needs = Pick<Deps, "organization">;

/** The caller of an operation of a member. */
interface Acting {
  caller: Caller;
  session: Pick<ResolvedSession, "user">;
}

/** Asks the organization service, which decides at each call. Rejects if it is unavailable. */
const authorize = async (
  { organization }: Needs,
  { caller, session }: Acting,
  asked: { organizationId: string; resource: string; action: string },
): Promise<Verdict> => {
  const { requestId, sessionToken } = caller;
  if (sessionToken === undefined) throw new WireError("UNAUTHORIZED");
  const body = { ...asked, userId: session.user.id, sessionToken };
  const { authorizeMember } = operations.organization;
  return (await organization.call(authorizeMember, { body }, { requestId })).verdict;
};

/**
 * Checks that the caller may act on the webhooks of an organization. A member who leaves loses access immediately. Also refuses for an unknown
 * organization.
 */
const checkMember = async (
  deps: Needs,
  acting: Acting,
  { organizationId, action }: { organizationId: string; action: WebhookAction },
): Promise<void> => {
  const verdict = await authorize(deps, acting, { organizationId, resource: "webhook", action });
  if (verdict !== "allowed") throw new WireError(errors[verdict]);
};

const showsKeys = (type: string): boolean =>
  applicationEventTypes.some((one) => one === type && applicationEvents[one].service === "apikey");

/**
 * Returns a check of types of events, where none stand for all. It refuses those of API keys to a member whose role may not read the keys of
 * the organization. Members may see everything else that the events tell.
 */
const findMemberReach = async (
  deps: Needs,
  acting: Acting,
  organizationId: string,
): Promise<(types: readonly string[]) => void> => {
  const access = { organizationId, resource: "apiKey", action: "read" };
  const mayReadKeys = (await authorize(deps, acting, access)) === "allowed";
  return (types) => {
    if (!mayReadKeys && (types.length === 0 || types.some(showsKeys)))
      throw new WireError("YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS");
  };
};

/** Returns a function that removes the query of a URL, unless the role of the caller may change the webhooks of the organization. */
const findQueryReach = async (
  deps: Needs,
  acting: Acting,
  organizationId: string,
): Promise<<Row extends { url: string }>(row: Row) => Row> => {
  const access = { organizationId, resource: "webhook", action: "update" };
  const isShown = (await authorize(deps, acting, access)) === "allowed";
  return (row) => (isShown ? row : { ...row, url: withoutQuery(row.url) });
};

export const listOrganizationWebhooks: Handler<"listOrganizationWebhooks"> = async (deps, call) => {
  const { organizationId } = call.query;
  await checkMember(deps, call, { organizationId, action: "read" });
  const hideQuery = await findQueryReach(deps, call, organizationId);
  const { rows, ...page } = await readList(deps.db, endpointList, call.query);
  return { reply: { webhooks: rows.map((row) => hideQuery(showEndpoint(row))), ...page } };
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
  const delivery = await getDelivery(deps, { id, organizationId });
  checkReach([delivery.row.eventType]);
  const hideQuery = await findQueryReach(deps, call, organizationId);
  return { reply: await showDetails(deps, hideQuery(delivery)) };
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

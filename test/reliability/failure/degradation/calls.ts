import { operations } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { createKey } from "../../../harness/api-keys.ts";
import { createFailedMail } from "../../../harness/mails.ts";
import { callOperation, type Client, expectOk } from "../../../harness/operations.ts";
import {
  createOrganization,
  createTenant,
  type TenantIds,
} from "../../../harness/organizations.ts";
import { openRows } from "../../../harness/rows.ts";
import { newClient, signUp } from "../../../harness/users.ts";
import { type Calling, callings } from "../../../contract/organization-calls.ts";
import type { PreparedCall, Prepare } from "./prepared-call.ts";
import { identityCalls } from "./identity-calls.ts";
import type { World } from "./world.ts";

const byAnybody: Prepare = ({ system }) => ({ by: newClient(system), sent: {} });
const byOperator =
  (sent: PreparedCall["sent"] = {}): Prepare =>
  ({ operator }) => ({ by: operator, sent });

const gatewayCalls: Record<keyof typeof operations.gateway, Prepare> = {
  ok: byAnybody,
  error: byAnybody,
  generateOpenApiSchema: byAnybody,
  adminReadSettings: byOperator(),
  adminTestRedirect: byOperator({ body: { url: "/home", field: "callbackURL" } }),
  adminReadHealth: byOperator(),
  adminResetRateLimits: byOperator({ body: { ipAddress: "192.0.2.1" } }),
};

const failedMail: Prepare = async ({ system, operator }) => {
  const mail = await createFailedMail(system, operator, await signUp(system));
  return { by: operator, sent: { params: { id: mail.id } } };
};

const mailerCalls: Record<keyof typeof operations.mailer, Prepare> = {
  adminListDeliveries: byOperator(),
  adminGetDelivery: failedMail,
  adminListDeliveryAttempts: failedMail,
  adminListInvitationMails: byOperator({ query: { invitationId: "some" } }),
  adminRetryDelivery: failedMail,
  adminReadMailStatistics: byOperator(),
  adminListMailerAudit: byOperator(),
};

/** Nothing listens there, so that deliveries wait. */
const hookUrl = "http://127.0.0.1:1/";
const { webhooks } = operations;

/** Creates a webhook of an organization. */
const withOrganizationWebhook =
  (sent: (ids: { webhookId: string; organizationId: string }) => PreparedCall["sent"]): Prepare =>
  async ({ system }) => {
    const owner = await signUp(system);
    const { id: organizationId } = await createOrganization(owner);
    const body = { url: hookUrl, organizationId };
    const { id: webhookId } = await expectOk(
      callOperation<{ id: string }>(owner, webhooks.createOrganizationWebhook, { body }),
    );
    return { by: owner, sent: sent({ webhookId, organizationId }) };
  };

/** Creates a webhook of an organization with a test event. */
const withOrganizationDelivery =
  (sent: (ids: { deliveryId: string; organizationId: string }) => PreparedCall["sent"]): Prepare =>
  async (world) => {
    let body = { webhookId: "", organizationId: "" };
    const { by } = await withOrganizationWebhook((ids) => {
      body = ids;
      return {};
    })(world);
    const { id: deliveryId } = await expectOk(
      callOperation<{ id: string }>(by as Client, webhooks.testOrganizationWebhook, { body }),
    );
    return { by, sent: sent({ deliveryId, organizationId: body.organizationId }) };
  };

/** Marks a delivery as failed, so that it can be retried. A real one fails after three days. */
const fail = async ({ system }: World, id: string): Promise<void> => {
  const rows = openRows(system);
  await rows.query(
    "delete from webhooks.lane where subject = 'webhook:' || (select endpoint_id from webhooks.delivery where id = $1)",
    id,
  );
  await rows.query(
    "update webhooks.delivery set state = 'failed', settled_at = now() where id = $1",
    id,
  );
  await rows.close();
};

/** Creates a failed delivery to a webhook of an organization. */
const withFailedOrganizationDelivery: Prepare = async (world) => {
  const call = await withOrganizationDelivery((body) => ({ body }))(world);
  await fail(world, (call.sent.body as { deliveryId: string }).deliveryId);
  return call;
};

/** Creates a webhook of the installation. */
const withWebhook =
  (body?: object): Prepare =>
  async ({ operator }) => {
    const { id } = await expectOk(
      callOperation<{ id: string }>(operator, webhooks.adminCreateWebhook, {
        body: { url: hookUrl },
      }),
    );
    return { by: operator, sent: { params: { id }, ...(body && { body }) } };
  };

const withDelivery: Prepare = async (world) => {
  const { sent } = await withWebhook()(world);
  const { id } = await expectOk(
    callOperation<{ id: string }>(world.operator, webhooks.adminTestWebhook, sent),
  );
  return { by: world.operator, sent: { params: { id } } };
};

const withFailedDelivery: Prepare = async (world) => {
  const call = await withDelivery(world);
  await fail(world, (call.sent.params as { id: string }).id);
  return call;
};

/** Replays the newest event. Events of the users of this world arrive soon after they were created. */
const replayOfEvent: Prepare = async ({ operator }) => {
  const query = { limit: 1 };
  const id = await until(async () => {
    const { events } = await expectOk(
      callOperation<{ events: { event: { id: string } }[] }>(operator, webhooks.adminSearchEvents, {
        query,
      }),
    );
    return events[0]?.event.id;
  });
  return { by: operator, sent: { params: { id }, body: {} } };
};

const period = { from: "2030-01-01T00:00:00.000Z", to: "2030-01-02T00:00:00.000Z" };

const webhookCalls: Record<keyof typeof operations.webhooks, Prepare> = {
  adminListWebhooks: byOperator(),
  adminGetWebhook: withWebhook(),
  adminCreateWebhook: byOperator({ body: { url: hookUrl } }),
  adminUpdateWebhook: withWebhook({ description: "changed" }),
  adminRotateWebhookSecret: withWebhook({}),
  adminPauseWebhook: withWebhook(),
  adminResumeWebhook: withWebhook(),
  adminTestWebhook: withWebhook(),
  adminDeleteWebhook: withWebhook(),
  adminListWebhookDeliveries: byOperator(),
  adminGetWebhookDelivery: withDelivery,
  adminRetryWebhookDelivery: withFailedDelivery,
  adminRetryFailedWebhookDeliveries: withWebhook({ since: period.from }),
  adminReplayWebhookEvents: withWebhook(period),
  adminReadWebhookStatistics: withWebhook(),
  adminListEvents: byOperator(),
  adminSearchEvents: byOperator(),
  adminReplayEvent: replayOfEvent,
  adminListWebhookAudit: byOperator(),
  listOrganizationWebhooks: withOrganizationWebhook(({ organizationId }) => ({
    query: { organizationId },
  })),
  createOrganizationWebhook: withOrganizationWebhook(({ organizationId }) => ({
    body: { url: hookUrl, organizationId },
  })),
  updateOrganizationWebhook: withOrganizationWebhook((body) => ({ body })),
  rotateOrganizationWebhookSecret: withOrganizationWebhook((body) => ({ body })),
  testOrganizationWebhook: withOrganizationWebhook((body) => ({ body })),
  deleteOrganizationWebhook: withOrganizationWebhook((body) => ({ body })),
  listOrganizationWebhookDeliveries: withOrganizationWebhook((query) => ({ query })),
  getOrganizationWebhookDelivery: withOrganizationDelivery((query) => ({ query })),
  retryOrganizationWebhookDelivery: withFailedOrganizationDelivery,
};

interface KeyIds {
  userId: string;
  keyId: string;
  key: string;
}

/** Creates a new user with a new key. */
const withKey =
  (by: "owner" | "operator" | "service" | "gateway", sent: (ids: KeyIds) => PreparedCall["sent"]) =>
  async ({ system, operator }: World): Promise<PreparedCall> => {
    const owner = await signUp(system);
    const { id: keyId, key } = await createKey(owner);
    const who = { owner, operator, service: "service", gateway: "gateway" } as const;
    return { by: who[by], sent: sent({ userId: owner.user.id, keyId, key }) };
  };
const byId = ({ keyId: id }: KeyIds) => ({ params: { id } });

const apiKeyCalls: Record<keyof typeof operations.apikey, Prepare> = {
  createApiKey: withKey("owner", () => ({ body: {} })),
  getApiKey: withKey("owner", ({ keyId: id }) => ({ query: { id } })),
  listApiKeys: withKey("owner", () => ({})),
  updateApiKey: withKey("owner", ({ keyId }) => ({ body: { keyId, name: "other" } })),
  rerollApiKey: withKey("owner", ({ keyId }) => ({ body: { keyId } })),
  deleteApiKey: withKey("owner", ({ keyId }) => ({ body: { keyId } })),
  readApiKeyUsage: withKey("owner", ({ keyId: id }) => ({ query: { id } })),
  adminListApiKeys: withKey("operator", ({ userId }) => ({ query: { userId } })),
  adminGetApiKey: withKey("operator", byId),
  adminCreateApiKey: withKey("operator", ({ userId }) => ({ body: { userId } })),
  adminListApiKeyAudit: byOperator(),
  adminReadApiKeyStatistics: byOperator(),
  adminReadApiKeyUsage: withKey("operator", byId),
  adminDisableApiKey: withKey("operator", byId),
  adminEnableApiKey: withKey("operator", byId),
  adminRerollApiKey: withKey("operator", ({ keyId: id }) => ({ params: { id }, body: {} })),
  adminUpdateApiKey: withKey("operator", ({ keyId: id }) => ({
    params: { id },
    body: { remaining: 5 },
  })),
  adminDeleteApiKey: withKey("operator", byId),
  verifyApiKey: withKey("service", ({ key }) => ({ body: { key } })),
  createApiKeyFor: withKey("service", ({ userId }) => ({ body: { userId } })),
  updateApiKeyFor: withKey("service", ({ keyId, userId }) => ({
    body: { keyId, userId, remaining: 5 },
  })),
  deleteExpiredApiKeys: () => ({ by: "service", sent: {} }),
  applyApiKeyEvent: withKey("gateway", ({ keyId: id, userId }) => ({
    body: {
      id,
      name: "user.ban-changed",
      version: 1,
      occurredAt: new Date().toISOString(),
      data: { userId, revision: 1, banned: false, banExpires: null },
    },
  })),
  openKeySession: withKey("gateway", ({ key }) => ({
    body: { key, method: "GET", path: "/get-session" },
  })),
};

/** Operations without changes share one organization. */
const shared = new WeakMap<World, Promise<TenantIds>>();
const idsFor = (world: World, isReading: boolean): Promise<TenantIds> => {
  const existing = shared.get(world);
  if (isReading && existing) return existing;
  const ids = createTenant(world, world.staff);
  if (isReading) shared.set(world, ids);
  return ids;
};

const ofOrganization =
  (name: keyof typeof operations.organization): Prepare =>
  async (world) => {
    const { by, calls } = callings[name] as Calling;
    const ids = await idsFor(world, "repeatable" in operations.organization[name]);
    const who = {
      ...world.staff,
      operator: world.operator,
      service: "service",
      gateway: "gateway",
    } as const;
    return { by: who[by], sent: calls[0]?.(ids) ?? {} };
  };

/** Has an owner of its own, because what others prepare changes the active organization of the shared one. */
const setActiveTeam: Prepare = async ({ system }) => {
  const owner = await signUp(system);
  const { id: organizationId } = await createOrganization(owner);
  const created = await owner.browser.post("/organization/create-team", {
    name: "Night shift",
    organizationId,
  });
  const { id: teamId } = (await created.json()) as { id: string };
  await owner.browser.post("/organization/add-team-member", { teamId, userId: owner.user.id });
  return { by: owner, sent: { body: { teamId } } };
};

const organizationCalls = Object.fromEntries(
  Object.keys(callings).map((name) => [name, ofOrganization(name as keyof typeof callings)]),
);

/** A successful call of every operation, by its name. */
export const calls: Readonly<Record<string, Prepare>> = {
  ...gatewayCalls,
  ...identityCalls,
  ...organizationCalls,
  setActiveTeam,
  ...apiKeyCalls,
  ...mailerCalls,
  ...webhookCalls,
};

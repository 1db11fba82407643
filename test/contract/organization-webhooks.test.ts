import { operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { callOperation, expectOk } from "../harness/operations.ts";
import { addMember, createOrganization, organizationConfig } from "../harness/organizations.ts";
import { makeSessionsStale, openRows } from "../harness/rows.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp, signUpAs, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const { webhooks } = operations;
const all = ["create", "read", "update", "delete"];
const roles = {
  owner: { organization: ["update", "delete"], apiKey: all, webhook: all },
  member: {},
  /** Manages webhooks, but may not see API keys. */
  integrator: { webhook: all },
};
/** Nothing listens there, so that deliveries wait. */
const url = "http://127.0.0.1:1/";

let owner: TestUser;
let outsider: TestUser;
let organizationId: string;
let otherId: string;

const { system } = useSystem({
  stores: "postgres",
  config: organizationConfig({ roles }, { webhooks: { organizations: { enabled: true } } }),
});
beforeAll(async () => {
  [owner, outsider] = await Promise.all([signUp(system), signUp(system)]);
  organizationId = (await createOrganization(owner)).id;
  otherId = (await createOrganization(outsider)).id;
});

const createWebhook = (by: TestUser, body: object = {}) =>
  callOperation<{ id: string }>(by, webhooks.createOrganizationWebhook, {
    body: { url, organizationId, ...body },
  });
const enter = async (role: string): Promise<TestUser> => {
  const user = await signUp(system);
  await addMember(system, user, { organizationId, role });
  return user;
};

describe("the webhook of an organization", () => {
  let webhookId: string;
  let deliveryId: string;
  beforeAll(async () => {
    webhookId = (await expectOk(createWebhook(owner))).id;
    const { id } = await expectOk(
      callOperation<{ id: string }>(owner, webhooks.testOrganizationWebhook, {
        body: { webhookId, organizationId },
      }),
    );
    deliveryId = id;
  });

  type Case = [
    name: keyof typeof webhooks & `${string}Organization${string}`,
    place: "body" | "query",
    given: { url?: string; webhookId?: string; deliveryId?: string },
  ];
  const cases: Case[] = [
    ["listOrganizationWebhooks", "query", {}],
    ["createOrganizationWebhook", "body", { url }],
    ["updateOrganizationWebhook", "body", { webhookId: "" }],
    ["rotateOrganizationWebhookSecret", "body", { webhookId: "" }],
    ["testOrganizationWebhook", "body", { webhookId: "" }],
    ["listOrganizationWebhookDeliveries", "query", { webhookId: "" }],
    ["getOrganizationWebhookDelivery", "query", { deliveryId: "" }],
    ["retryOrganizationWebhookDelivery", "body", { deliveryId: "" }],
    ["deleteOrganizationWebhook", "body", { webhookId: "" }],
  ];

  const call = (by: TestUser, [name, place, given]: Case, tenant: string) => {
    const ids = {
      organizationId: tenant,
      ...("webhookId" in given && { webhookId }),
      ...("deliveryId" in given && { deliveryId }),
    };
    return callOperation(by, webhooks[name], { [place]: { ...given, ...ids } });
  };

  test.each(cases)("%s is refused to the owner of another organization", async (...given) => {
    expect((await call(outsider, given, organizationId)).body).toMatchObject({
      code: "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
    });
    const [name] = given;
    if (name === "listOrganizationWebhooks" || name === "createOrganizationWebhook") return;
    expect((await call(outsider, given, otherId)).status).toBe(404);
  });

  test.each(cases)("%s is refused to a member whose role has no webhooks", async (...given) => {
    expect((await call(await enter("member"), given, organizationId)).status).toBe(403);
  });
});

describe("a member who may not read API keys", () => {
  const refused = { code: "YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS" };
  let integrator: TestUser;
  beforeAll(async () => {
    integrator = await enter("integrator");
  });

  test.each([[[]], [["api-key.created"]], [["member.added", "api-key.deleted"]]])(
    "creates no webhook for the events %j",
    async (events) => {
      const { status, body } = await createWebhook(integrator, { events });
      expect([status, body]).toMatchObject([403, refused]);
    },
  );

  test("creates a webhook for other events, and cannot add those of keys", async () => {
    const { id: webhookId } = await expectOk(
      createWebhook(integrator, { events: ["member.added"] }),
    );
    const { status, body } = await callOperation(integrator, webhooks.updateOrganizationWebhook, {
      body: { webhookId, organizationId, events: [] },
    });
    expect([status, body]).toMatchObject([403, refused]);
  });

  test("does not change where a webhook with events of keys leads, nor its secret", async () => {
    const { id: webhookId } = await expectOk(createWebhook(owner));
    const named = { webhookId, organizationId };
    const update = await callOperation(integrator, webhooks.updateOrganizationWebhook, {
      body: { ...named, url: "https://other.example" },
    });
    const rotate = await callOperation(integrator, webhooks.rotateOrganizationWebhookSecret, {
      body: named,
    });
    expect([update.body, rotate.body]).toMatchObject([refused, refused]);
  });
});

/** Attack: a thief of an old session of an admin sends the events of the installation to a server of their own. */
test("an admin creates and changes webhooks, and replaces secrets, only in a strong session", async () => {
  const admin = await signUpAs(system, "admin");
  const created = await expectOk(
    callOperation<{ id: string }>(admin, webhooks.adminCreateWebhook, { body: { url } }),
  );
  const rows = openRows(system);
  await makeSessionsStale(rows, admin.user.id);
  await rows.close();
  const refused = await Promise.all([
    callOperation(admin, webhooks.adminCreateWebhook, { body: { url } }),
    callOperation(admin, webhooks.adminUpdateWebhook, {
      params: { id: created.id },
      body: { url },
    }),
    callOperation(admin, webhooks.adminRotateWebhookSecret, {
      params: { id: created.id },
      body: {},
    }),
  ]);
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 403, body: { code: "SESSION_IS_NOT_FRESH" } });
  const paused = await callOperation(admin, webhooks.adminPauseWebhook, {
    params: { id: created.id },
  });
  expect(paused.status).toBe(200);
});

import { allOperations, type Operation, operations } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { clientWithKey, createKey, keySessionConfig } from "../harness/api-keys.ts";
import { newEmail, password, signUp, signUpAs, type TestUser } from "../harness/users.ts";
import { callOperation, expectOk, type Sent } from "../harness/operations.ts";
import { addMember, createOrganization, newSlug } from "../harness/organizations.ts";
import { hashTables, makeSessionsStale } from "../harness/rows.ts";
import { type App, beginChallenge, enableApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import { everythingAbout, tryOut } from "./every-operation.ts";

expectNoLeaks("file");

const { apikey, gateway, identity, mailer, organization, webhooks } = operations;

/** Nothing listens there, so that deliveries wait. */
const url = "http://127.0.0.1:1/";
const newPassword = "a password chosen by the admin";

/** The objects that the operations act on. All belong to the admin, or to users below the admin. */
interface World {
  bob: TestUser;
  organizationId: string;
  memberId: string;
  keyId: string;
  organizationKeyId: string;
  adminWebhookId: string;
  webhookId: string;
  deliveryId: string;
  invitedId: string;
}

type Case = readonly [declared: Operation, sent: (world: World) => Sent];

/** Operations that an admin who owns an organization may call only in a strong session, in an order in which each succeeds. */
const cases: readonly Case[] = [
  [
    identity.adminCreateUser,
    () => ({ body: { ...person(), password: newPassword, role: "admin" } }),
  ],
  [identity.adminCreateUser, () => ({ body: { ...person(), data: { emailVerified: true } } })],
  [identity.adminInviteUser, () => ({ body: { ...person(), role: "admin" } })],
  [
    identity.adminResendUserInvitation,
    ({ invitedId }) => ({ params: { id: invitedId }, body: {} }),
  ],
  [
    identity.adminUpdateUser,
    ({ bob }) => ({ body: { userId: bob.user.id, data: { email: newEmail() } } }),
  ],
  [
    identity.adminUpdateUser,
    ({ bob }) => ({ body: { userId: bob.user.id, data: { banned: false } } }),
  ],
  [
    identity.adminUpdateUser,
    ({ bob }) => ({ body: { userId: bob.user.id, data: { role: "admin" } } }),
  ],
  [identity.adminSetRole, ({ bob }) => ({ body: { userId: bob.user.id, role: "user" } })],
  [identity.adminVerifyUserEmail, ({ bob }) => ({ params: { id: bob.user.id } })],
  [identity.adminSendPasswordReset, ({ bob }) => ({ params: { id: bob.user.id }, body: {} })],
  [mailer.adminGetDelivery, ({ deliveryId }) => ({ params: { id: deliveryId } })],
  [apikey.adminCreateApiKey, ({ bob }) => ({ body: { userId: bob.user.id } })],
  [apikey.adminUpdateApiKey, ({ keyId }) => ({ params: { id: keyId }, body: { name: "renamed" } })],
  [apikey.adminEnableApiKey, ({ keyId }) => ({ params: { id: keyId } })],
  [apikey.adminRerollApiKey, ({ keyId }) => ({ params: { id: keyId }, body: {} })],
  // Deletes the keys that can stand for a session.
  [identity.adminSetUserPassword, ({ bob }) => ({ body: { userId: bob.user.id, newPassword } })],
  [identity.adminRotateSigningKeys, () => ({})],
  [gateway.adminResetRateLimits, () => ({ body: { ipAddress: "192.0.2.1" } })],
  [
    webhooks.adminUpdateWebhook,
    ({ adminWebhookId }) => ({ params: { id: adminWebhookId }, body: { url } }),
  ],
  [
    webhooks.adminRotateWebhookSecret,
    ({ adminWebhookId }) => ({ params: { id: adminWebhookId }, body: {} }),
  ],
  [webhooks.createOrganizationWebhook, ({ organizationId }) => ({ body: { url, organizationId } })],
  [webhooks.updateOrganizationWebhook, (world) => ({ body: { ...hookOf(world), url } })],
  [webhooks.rotateOrganizationWebhookSecret, (world) => ({ body: hookOf(world) })],
  [apikey.createApiKey, ({ organizationId }) => ({ body: { organizationId } })],
  [
    apikey.updateApiKey,
    ({ organizationKeyId }) => ({ body: { keyId: organizationKeyId, name: "renamed" } }),
  ],
  [apikey.rerollApiKey, ({ organizationKeyId }) => ({ body: { keyId: organizationKeyId } })],
  [
    organization.inviteMember,
    ({ organizationId }) => ({ body: { organizationId, email: newEmail(), role: "owner" } }),
  ],
  [
    organization.updateMemberRole,
    ({ organizationId, memberId }) => ({ body: { organizationId, memberId, role: "admin" } }),
  ],
  [
    organization.adminSetMemberRole,
    ({ organizationId, memberId }) => ({
      params: { id: organizationId },
      body: { memberId, role: ["admin", "owner"] },
    }),
  ],
  [
    organization.adminTransferOwnership,
    ({ organizationId, memberId }) => ({ params: { id: organizationId }, body: { memberId } }),
  ],
  [
    organization.setTwoFactorPolicy,
    ({ organizationId }) => ({ body: { organizationId, required: false } }),
  ],
  [identity.adminBanUser, ({ bob }) => ({ body: { userId: bob.user.id } })],
  [identity.adminUnbanUser, ({ bob }) => ({ body: { userId: bob.user.id } })],
  [organization.deleteOrganization, ({ organizationId }) => ({ body: { organizationId } })],
  [identity.adminRemoveUser, ({ bob }) => ({ body: { userId: bob.user.id } })],
];

const person = () => ({ email: newEmail(), name: "Mallory" });
const hookOf = ({ organizationId, webhookId }: World) => ({ organizationId, webhookId });
const refused = {
  status: 403,
  body: { code: "SESSION_IS_NOT_FRESH", details: { requires: "second-factor" } },
};

let app: App;
let world: World;

const { system, rows, admin } = useSystem({
  stores: "postgres",
  config: keySessionConfig(
    { organizationKeys: { enabled: true } },
    {
      organization: { dynamicAccessControl: { enabled: true } },
      webhooks: { organizations: { enabled: true } },
      oauthProvider: { enabled: true },
      deviceAuthorization: { enabled: true },
      emailOTP: { enabled: true, changeEmail: { enabled: true } },
      user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
      socialProviders: { google: { clientId: "c", clientSecret: "a client secret" } },
    },
  ),
});
beforeAll(async () => {
  app = await enableApp(admin);
  world = await createWorld();
});

const createWorld = async (): Promise<World> => {
  const bob = await signUp(system);
  const { id: organizationId } = await createOrganization(admin);
  const member = await addMember(system, bob, { organizationId });
  const created = (declared: Operation, body: object) =>
    expectOk(callOperation<{ id: string }>(admin, declared, { body }));
  const invited = await expectOk(
    callOperation<{ user: { id: string } }>(admin, identity.adminInviteUser, { body: person() }),
  );
  await bob.browser.post("/request-password-reset", { email: bob.email });
  const query = { recipientIs: bob.email };
  const list = () =>
    expectOk(
      callOperation<{ deliveries: { id: string; event: string }[] }>(
        admin,
        mailer.adminListDeliveries,
        { query },
      ),
    );
  const reset = async () =>
    (await list()).deliveries.find(({ event }) => event === "password-reset.requested");
  await until(async () => (await reset()) !== undefined, { describe: "have the mail" });
  return {
    bob,
    organizationId,
    memberId: member.id,
    invitedId: invited.user.id,
    keyId: (await createKey(bob)).id,
    organizationKeyId: (await created(apikey.createApiKey, { organizationId })).id,
    adminWebhookId: (await created(webhooks.adminCreateWebhook, { url })).id,
    webhookId: (await created(webhooks.createOrganizationWebhook, { url, organizationId })).id,
    deliveryId: (await reset())?.id ?? "",
  };
};

/** Lets the admin's session grow old. It stays in use. */
const age = async () => {
  await rows.query(
    `update identity.session set authenticated_at = now() - interval '2 days',
       second_factor_at = now() - interval '2 days' where user_id = $1`,
    admin.user.id,
  );
};

/** Returns a hash of what the operations change, with the audit log of each service. */
const state = () =>
  hashTables(rows, [
    "identity.user",
    "identity.account",
    "identity.verification",
    "identity.signing_key",
    "identity.audit",
    "organization.organization",
    "organization.member",
    "organization.invitation",
    "organization.audit",
    "apikey.api_key",
    "apikey.audit",
    // Failed deliveries change the other columns.
    "(select id, url, description, events, secret_sealed from webhooks.endpoint)",
    "webhooks.audit",
    "mailer.audit",
    "oauth.client",
    "oauth.client_secret",
    "oauth.audit",
  ]);

/** Attack: a thief uses the cookie of an admin, who has a second factor, days after the sign-in. */
describe("a session of an admin that is no longer strong", () => {
  test("is refused by every operation that requires a strong session, and nothing happens", async () => {
    await age();
    const before = await state();
    const { bob, organizationId } = world;
    const own = { organizationId, url, data: { role: "admin" }, userCode: "some" };
    const body = { ...everythingAbout(bob), ...own };
    const permission = { member: ["update"] };
    const roleBody = { ...body, permission, roleName: "some", data: { permission } };
    const guarded = allOperations.filter(
      ({ access, exposure, stepUp }) =>
        exposure === "public" &&
        access !== "anyone" &&
        stepUp.asks !== "never" &&
        stepUp.when !== "target",
    );
    const bodyOf = ({ name, feature }: Operation) => {
      if (feature === "organizationRolesAdmin") return { ...roleBody, roleId: "some" };
      if (feature === "organizationRoles") return roleBody;
      return name === "updateUser" ? { phoneNumber: null } : body;
    };
    const outcomes: [name: string, outcome: unknown][] = [];
    for (const declared of guarded) {
      const answer = await tryOut(admin, declared, {
        params: { id: "some" },
        body: bodyOf(declared),
      });
      const reply = (await answer.json()) as { code?: string };
      outcomes.push([declared.name, reply.code]);
    }
    expect(outcomes).toEqual(guarded.map(({ name }) => [name, refused.body.code]));
    expect(await state()).toEqual(before);
  });

  test.each(cases)(
    "is refused by $name with real input, and nothing happens",
    async (declared, sent) => {
      await age();
      const before = await state();
      expect(await callOperation(admin, declared, sent(world))).toMatchObject(refused);
      expect(await state()).toEqual(before);
    },
  );

  test("may do what gives nobody access", async () => {
    await age();
    const { bob, organizationId, webhookId } = world;
    const ordinary: Case[] = [
      [identity.adminUpdateUser, () => ({ body: { userId: bob.user.id, data: { name: "Bob" } } })],
      [identity.adminCreateUser, () => ({ body: { ...person(), password: newPassword } })],
      [
        organization.inviteMember,
        () => ({ body: { organizationId, email: newEmail(), role: "member" } }),
      ],
      [
        webhooks.updateOrganizationWebhook,
        () => ({ body: { organizationId, webhookId, state: "paused" } }),
      ],
      [organization.createOrganization, () => ({ body: { name: "Other", slug: newSlug() } })],
      [identity.adminListUsers, () => ({})],
    ];
    for (const [declared, sent] of ordinary)
      expect([declared.name, (await callOperation(admin, declared, sent(world))).status]).toEqual([
        declared.name,
        200,
      ]);
  });

  test("of a user without a second factor needs a new sign-in", async () => {
    const ada = await signUpAs(system, "admin");
    await makeSessionsStale(rows, ada.user.id);
    for (const [declared, body] of [
      [identity.linkSocial, { provider: "google", callbackURL: "/" }],
      [identity.adminSetRole, { userId: world.bob.user.id, role: "user" }],
    ] as const)
      expect(await callOperation(ada, declared, { body })).toMatchObject({
        status: 403,
        body: { code: "SESSION_IS_NOT_FRESH", details: { requires: "sign-in" } },
      });
  });
});

/** Returns the code that was mailed to a user for the second factor. */
const mailedCode = async ({ email }: TestUser): Promise<string> => {
  const mail = await system.smtp.waitForMail(
    ({ to, text }) => to.includes(email) && /\b\d{6}\b/.test(text),
  );
  return /\b\d{6}\b/.exec(mail.text)?.[0] ?? "";
};

/** Attack: a thief of an old session adds a second factor of their own, which then counts as a proof and locks the user out. */
const factorCases: readonly (readonly [
  declared: Operation,
  requires: string,
  prepare: (person: TestUser) => Promise<object>,
])[] = [
  [identity.sendTwoFactorCode, "sign-in", async () => ({})],
  [
    identity.verifyTwoFactorCode,
    "sign-in",
    async (person) => {
      expect((await person.browser.post("/two-factor/send-otp")).status).toBe(200);
      return { code: await mailedCode(person) };
    },
  ],
  [
    identity.enableTwoFactor,
    "second-factor",
    async (person) => {
      await person.browser.post("/two-factor/send-otp");
      const code = await mailedCode(person);
      expect((await person.browser.post("/two-factor/verify-otp", { code })).status).toBe(200);
      return { password };
    },
  ],
];

test.each(factorCases)(
  "$name adds a second factor in a strong session only",
  async (declared, requires, prepare) => {
    const person = await signUp(system);
    const body = await prepare(person);
    const call = () => callOperation(person, declared, { body });
    await rows.query(
      `update identity.session set authenticated_at = now() - interval '2 days',
       second_factor_at = null where user_id = $1`,
      person.user.id,
    );
    expect(await call()).toMatchObject({
      status: 403,
      body: { code: "SESSION_IS_NOT_FRESH", details: { requires } },
    });
    await rows.query(
      "update identity.session set authenticated_at = now(), second_factor_at = now() where user_id = $1",
      person.user.id,
    );
    expect((await call()).status).toBe(200);
  },
);

test("every operation whose handler decides is among these cases", () => {
  const targets = allOperations.filter(
    ({ exposure, stepUp }) =>
      exposure === "public" && stepUp.asks !== "never" && stepUp.when === "target",
  );
  // `provider-tokens.test.ts` proves the decision about the tokens of providers.
  const tokens = [identity.getAccessToken, identity.refreshToken];
  // `phone-numbers.db.test.ts` proves that a number is taken in a strong session only.
  const others = [...tokens, identity.verifyPhoneNumber];
  const tried = new Set<Operation>([...[...cases, ...factorCases].map(([one]) => one), ...others]);
  expect(targets.filter((one) => !tried.has(one)).map(({ name }) => name)).toEqual([]);
});

test("an API key invites members, but gives nobody a role that manages the organization", async () => {
  const owner = await signUp(system);
  const { id: organizationId } = await createOrganization(owner);
  const client = clientWithKey(system, (await createKey(owner)).key);
  const invite = (role: string) =>
    callOperation(client, organization.inviteMember, {
      body: { organizationId, email: newEmail(), role },
    });
  expect((await invite("member")).status).toBe(200);
  expect(await invite("admin")).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
});

test("after a new sign-in with the second factor, each of them works", async () => {
  const browser = await beginChallenge(system, admin);
  const code = app.codeAt(0);
  expect((await browser.post("/two-factor/verify-totp", { code })).status).toBe(200);
  for (const [declared, sent] of cases) {
    const { status, body } = await callOperation({ browser }, declared, sent(world));
    expect([declared.name, status, body]).toEqual([declared.name, 200, body]);
  }
});

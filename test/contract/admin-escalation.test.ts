import {
  adminStatements,
  allOperations,
  type Operation,
  operations,
  type RequiredPermission,
} from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createKey } from "../harness/api-keys.ts";
import { byUser } from "../harness/audit.ts";
import { getMail, requestPasswordReset, untilMails } from "../harness/mails.ts";
import { callOperation, expectOk, type Sent, serviceConfig } from "../harness/operations.ts";
import {
  addMember,
  ageInvitations,
  createOrganization,
  inviteMember,
  newSlug,
} from "../harness/organizations.ts";
import { representatives } from "../harness/matrix.ts";
import { race } from "../harness/race.ts";
import { newAuthenticator, registerPasskey } from "../harness/passkeys.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  isSessionToken,
  newEmail,
  password,
  readSession,
  setRole,
  signUp,
  signUpAs,
  type TestUser,
} from "../harness/users.ts";

expectNoLeaks("file");

/** For each permission that an operation requires, one role with that permission only. */
const roleOf = ({ resource, action }: RequiredPermission) => `only-${resource}-${action}`;
const guarded = allOperations.flatMap(({ permission }) => permission ?? []);
const single = Object.fromEntries(
  guarded.map((permission) => [roleOf(permission), { [permission.resource]: [permission.action] }]),
);

/** Admins here have every permission that other roles have. */
const everything = {
  ...Object.fromEntries(
    Object.entries(adminStatements).map(([resource, actions]) => [resource, [...actions]]),
  ),
  ledger: ["close"],
};

const { system, rows } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    admin: {
      roles: {
        admin: everything,
        user: {},
        creator: { user: ["create"] },
        lister: { session: ["list"] },
        resetter: { user: ["set-password"] },
        reader: { delivery: ["list", "read"] },
        support: { user: ["impersonate"] },
        manager: { user: ["set-role"] },
        keyManager: { apiKey: ["create", "update"] },
        hirer: { user: ["create", "set-role"] },
        /** Has a permission of the application, which no admin operation requires. */
        auditor: { ledger: ["close"] },
        ...single,
      },
    },
    organization: {
      teams: { enabled: true },
      dynamicAccessControl: { enabled: true },
      schema: { member: { additionalFields: { title: { type: "string", required: false } } } },
    },
  },
});

/** Attack: a delegate with one small permission creates an admin account. */
test.each(["admin", "user,admin", "lister"])(
  "a delegate who may create users cannot create one with the role %s",
  async (role) => {
    const creator = await signUpAs(system, "creator");
    const person = { email: newEmail(), password, name: "Eve" };
    const refused = errorResponse(
      403,
      "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
      "You are not allowed to change users role",
    );
    expect(await callAdmin(creator, "/create-user", { ...person, role })).toEqual(refused);
    for (const data of [{ role }, { role, emailVerified: true }])
      for (const beside of [{}, { role: "user" }])
        expect(await callAdmin(creator, "/create-user", { ...person, ...beside, data })).toEqual(
          refused,
        );
    const harmless = { ...person, role, data: { role: "user" } };
    expect(await callAdmin(creator, "/create-user", harmless)).toMatchObject({
      status: 200,
      body: { user: { role: "user" } },
    });
  },
);

/** Attack: a new user's address counts as verified although it belongs to another person, or its owner is banned in advance. */
test.each([
  [
    "emailVerified",
    "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL",
    "You are not allowed to update users email",
  ],
  ["banned", "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS", "You are not allowed to ban users"],
] as const)("a delegate who may only create users cannot set %s", async (member, code, message) => {
  const creator = await signUpAs(system, "creator");
  const person = { email: newEmail(), password, name: "Eve" };
  const createUser = (value: boolean) =>
    callAdmin(creator, "/create-user", { ...person, data: { [member]: value } });
  expect(await createUser(true)).toEqual(errorResponse(403, code, message));
  expect((await createUser(false)).status).toBe(200);
});

/** Attack: a delegate signs in with the token of an admin's session. */
test("a delegate who may list sessions sees none of an admin", async () => {
  const [lister, admin, user] = await Promise.all(
    ["lister", "admin", "user"].map((role) => signUpAs(system, role)),
  );
  expect(await callAdmin(lister!, "/list-user-sessions", { userId: admin!.user.id })).toEqual(
    errorResponse(
      403,
      "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS",
      "You are not allowed to list users sessions",
    ),
  );
  for (const [by, target] of [
    [lister!, user!],
    [admin!, admin!],
  ] as const)
    expect((await callAdmin(by, "/list-user-sessions", { userId: target.user.id })).status).toBe(
      200,
    );
});

/** Attack: a delegate claims an admin's account by setting its password. */
test("a delegate who may set passwords cannot set an admin's", async () => {
  const [resetter, admin, user] = await Promise.all(
    ["resetter", "admin", "user"].map((role) => signUpAs(system, role)),
  );
  const newPassword = "another horse battery";
  expect(
    await callAdmin(resetter!, "/set-user-password", { userId: admin!.user.id, newPassword }),
  ).toEqual(
    errorResponse(
      403,
      "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD",
      "You are not allowed to set users password",
    ),
  );
  expect(await isSessionToken(system, admin!.token)).toBe(true);
  const set = await callAdmin(resetter!, "/set-user-password", {
    userId: user!.user.id,
    newPassword,
  });
  expect(set.status).toBe(200);
});

/** Attack: a delegate requests a password reset for an admin and reads the link in the list of mails. */
test("a delegate who may read mails reads no link, for admins or users, without the other permission", async () => {
  const [reader, admin, user] = await Promise.all(
    ["reader", "admin", "user"].map((role) => signUpAs(system, role)),
  );
  for (const person of [admin!, user!]) {
    await requestPasswordReset(person);
    const [mail] = await untilMails(reader!, person.email, "sent");
    const { links } = await system.smtp.waitForMail(person.email);
    const shown = await getMail(reader!, mail!.id);
    expect(shown).toStrictEqual({
      ...mail,
      text: null,
      html: null,
      link: null,
      locale: "en",
      isWithheld: true,
    });
    expect(await getMail(admin!, mail!.id)).toMatchObject({ link: links[0], isWithheld: false });
  }
});

test("signing out of an impersonation also ends the admin's own session, which would be unreachable", async () => {
  const [admin, user] = await Promise.all(["admin", "user"].map((role) => signUpAs(system, role)));
  expect((await callAdmin(admin!, "/impersonate-user", { userId: user!.user.id })).status).toBe(
    200,
  );
  expect((await readResponse(await admin!.browser.post("/sign-out"))).status).toBe(200);
  expect([...admin!.browser.cookies.keys()]).toEqual([]);
  expect(await isSessionToken(system, admin!.token)).toBe(false);
  expect(await isSessionToken(system, user!.token)).toBe(true);
});

describe("a delegate", () => {
  /** Prepares an operation so that it acts on a user, and may share what it creates if that will be refused. */
  type Aim = (target: TestUser, isRefused: boolean) => Promise<Sent> | Sent;
  const aboutUser =
    (own: object = {}): Aim =>
    ({ user }) => ({ body: { userId: user.id, ...own } });
  const atPasskey: Aim = async ({ browser, user }) => {
    const { id } = await registerPasskey(browser, newAuthenticator(system));
    return { body: { userId: user.id, id } };
  };
  const atUser: Aim = ({ user }) => ({ params: { id: user.id } });
  const atAccount: Aim = async ({ user }) => {
    const id = `account of ${user.id}`;
    await rows.query(
      `insert into identity.account (id, user_id, provider_id, account_id, created_at, updated_at)
      values ($1, $2, 'github', $1, now(), now())`,
      id,
      user.id,
    );
    return { body: { userId: user.id, id } };
  };
  /** Makes a user of the target who was invited and has not chosen a password. */
  const atInvited: Aim = async ({ user: { id } }) => {
    await rows.query(
      "update identity.account set password = null, invited_at = now() where user_id = $1 and provider_id = 'credential'",
      id,
    );
    return { params: { id } };
  };
  const atKey = async (target: TestUser) => ({ params: { id: (await createKey(target)).id } });
  /** Users that several operations share, because none changes them, by what they are for. */
  const shared = new Map<string, Promise<TestUser>>();
  const sharedUser = async (use: string, role: string): Promise<TestUser> => {
    const key = `${use} as ${role}`;
    const user = shared.get(key) ?? signUpAs(system, role);
    shared.set(key, user);
    return user;
  };
  /** Creates an organization that the target owns, with a member in a team, and an invitation. */
  const createStaffed = async (target: TestUser): Promise<Record<string, string>> => {
    const { id } = await createOrganization(target);
    const [other, newcomer] = [await sharedUser("member", "user"), await sharedUser("new", "user")];
    const { id: teamId } = await expectOk(
      callOperation<{ id: string }>(target, organization.createTeam, {
        body: { name: "Crew", organizationId: id },
      }),
    );
    const member = await addMember(system, other, { organizationId: id, teamId });
    const invited = await inviteMember(target, newEmail(), { organizationId: id });
    await ageInvitations(rows); // allows sending one again
    const ids = { memberId: member.id, invitationId: invited.id, teamId };
    return { id, newcomer: newcomer.user.id, ...ids };
  };
  /** The organizations of the targets for which every operation is refused. */
  const untouched = new Map<TestUser, ReturnType<typeof createStaffed>>();
  const atOrganization =
    (own: (ids: Record<string, string>) => object): Aim =>
    async (target, isRefused) => {
      const created = (isRefused && untouched.get(target)) || createStaffed(target);
      if (isRefused) untouched.set(target, created);
      const { id, ...ids } = await created;
      return { params: { id: id! }, body: own(ids) };
    };

  /** Preparations that change the target itself, which operations therefore cannot share. */
  const changesTarget = new Set<Aim>([atInvited]);

  const { identity, organization, apikey } = operations;
  const aimed = new Map<Operation, Aim>([
    [identity.adminSetRole, aboutUser({ role: "user" })],
    [identity.adminListUserSessions, aboutUser()],
    [identity.adminBanUser, aboutUser()],
    [identity.adminUnbanUser, aboutUser()],
    [identity.adminImpersonateUser, aboutUser()],
    [identity.adminCreateImpersonationLink, aboutUser({ reason: "a ticket" })],
    [identity.adminRevokeUserSession, ({ token }) => ({ body: { sessionToken: token } })],
    [identity.adminRevokeUserSessions, aboutUser()],
    [identity.adminRemoveUser, aboutUser()],
    [identity.adminSetUserPassword, aboutUser({ newPassword: "another horse battery" })],
    [identity.adminUpdateUser, aboutUser({ data: { name: "Other" } })],
    [identity.adminResetTwoFactor, aboutUser()],
    [identity.adminSecureUser, aboutUser()],
    [identity.adminUnlinkAccount, atAccount],
    [identity.adminSendVerification, atUser],
    [identity.adminListUserPasskeys, ({ user }) => ({ query: { userId: user.id } })],
    [identity.adminRemoveUserPasskey, atPasskey],
    [identity.adminVerifyUserEmail, atUser],
    [identity.adminSendPasswordReset, atUser],
    [identity.adminResendUserInvitation, atInvited],
    [apikey.adminCreateApiKey, aboutUser()],
    [apikey.adminDisableApiKey, atKey],
    [apikey.adminEnableApiKey, atKey],
    [
      apikey.adminUpdateApiKey,
      async (target) => ({ ...(await atKey(target)), body: { name: "Other" } }),
    ],
    [apikey.adminDeleteApiKey, atKey],
    [
      organization.adminCreateOrganization,
      ({ user }) => ({ body: { name: "Other", slug: newSlug(), userId: user.id } }),
    ],
    [organization.adminUpdateOrganization, atOrganization(() => ({ name: "Other" }))],
    [organization.adminDeleteOrganization, atOrganization(() => ({}))],
    [
      organization.adminAddMember,
      atOrganization(({ newcomer }) => ({ userId: newcomer, role: "owner" })),
    ],
    [
      organization.adminSetMemberRole,
      atOrganization(({ memberId }) => ({ memberId, role: "admin" })),
    ],
    [
      organization.adminUpdateMember,
      atOrganization(({ memberId }) => ({ memberId, data: { title: "Captain" } })),
    ],
    [
      organization.adminCreateOrganizationRole,
      atOrganization(() => ({ role: newSlug(), permission: { team: ["create"] } })),
    ],
    [organization.adminTransferOwnership, atOrganization(({ memberId }) => ({ memberId }))],
    [organization.adminCreateTeam, atOrganization(() => ({ name: "Second" }))],
    [organization.adminUpdateTeam, atOrganization(({ teamId }) => ({ teamId, name: "Second" }))],
    [organization.adminRemoveTeam, atOrganization(({ teamId }) => ({ teamId }))],
    [
      organization.adminAddTeamMember,
      atOrganization(({ teamId, memberId }) => ({ teamId, memberId })),
    ],
    [
      organization.adminRemoveTeamMember,
      atOrganization(({ teamId, memberId }) => ({ teamId, memberId })),
    ],
    [organization.adminRemoveMember, atOrganization(({ memberId }) => ({ memberId }))],
    [organization.adminCancelInvitation, atOrganization(({ invitationId }) => ({ invitationId }))],
    [organization.adminResendInvitation, atOrganization(({ invitationId }) => ({ invitationId }))],
  ]);
  /** One rule of each service compares permissions, so one operation of each is called for users with every role. */
  const rolesFor = (declared: Operation, roles: readonly string[], first: string) =>
    representatives(
      roles,
      (role) =>
        role === first ||
        declared === identity.adminSetRole ||
        declared === organization.adminUpdateOrganization ||
        declared === apikey.adminUpdateApiKey,
    );
  /** Operations that only read, act on no user, or have their own test. */
  const aimless = new Set<Operation>([
    identity.adminCreateUser,
    identity.adminInviteUser,
    identity.adminListUsers,
    identity.adminGetUser,
    identity.adminListDuplicates,
    identity.adminMergeUsers,
    identity.adminUndoMerge,
    identity.adminReadUser,
    identity.adminReadIdentityStatistics,
    identity.adminReadSignInMethods,
    identity.adminReadSignInState,
    identity.adminOpenImpersonationLink,
    identity.adminListRefusedSignIns,
    identity.adminListSigningKeys,
    identity.adminRotateSigningKeys,
    identity.adminListIdentityAudit,
    identity.adminListQueues,
    identity.adminListFailedMessages,
    identity.adminRetryMessage,
    identity.adminDiscardMessage,
    // `admin-roles.db.test.ts` tests both with a delegate.
    organization.adminUpdateOrganizationRole,
    organization.adminDeleteOrganizationRole,
    organization.adminListOrganizations,
    organization.adminListUserOrganizations,
    organization.adminGetOrganization,
    organization.adminListOrganizationMembers,
    organization.adminListOrganizationAudit,
    apikey.adminRerollApiKey,
    apikey.adminListApiKeys,
    apikey.adminGetApiKey,
    apikey.adminReadApiKeyUsage,
    apikey.adminReadApiKeyStatistics,
    apikey.adminListApiKeyAudit,
    ...Object.values(operations.mailer).filter((declared) => "permission" in declared),
    ...Object.values(operations.webhooks).filter((declared) => "permission" in declared),
    ...Object.values(operations.oauth).filter((declared) => "permission" in declared),
    ...Object.values(operations.gateway).filter((declared) => "permission" in declared),
  ]);

  test("is tested below with every operation that requires a permission", () => {
    const asking: Operation[] = allOperations.filter(({ permission }) => permission);
    const tested = [...aimed.keys(), ...aimless];
    const names = (list: readonly Operation[]) => list.map(({ name }) => name).toSorted();
    expect(names(tested)).toEqual(names(asking));
  });

  /** Attack: a delegate claims the account of a user with other permissions, or takes away the user's possessions. */
  test.each([...aimed].map(([declared, aim]) => ({ name: declared.name, declared, aim })))(
    "applies $name only to users without other permissions",
    async ({ declared, aim }) => {
      const { permission } = declared as Operation & { permission: RequiredPermission };
      const permitted = roleOf(permission);
      // Impersonating gives the delegate's browser another session.
      const becomesTarget = declared === identity.adminImpersonateUser;
      const delegate = await (becomesTarget
        ? signUpAs(system, permitted)
        : sharedUser("delegate", permitted));
      const others = ["manager", "auditor", `user,auditor`, "admin"];
      for (const role of rolesFor(declared, others, "auditor")) {
        const isOwn = role === "manager" && permitted === "only-user-set-role";
        const target = await (isOwn || changesTarget.has(aim)
          ? signUpAs(system, role)
          : sharedUser("refused", role));
        const { status, body } = await callOperation<{ code: string }>(
          delegate,
          declared,
          await aim(target, !isOwn),
        );
        // Impersonating an admin has its own error code.
        const codes: string[] = [permission.refusal, "YOU_CANNOT_IMPERSONATE_ADMINS"];
        if (isOwn) expect(status).toBe(200);
        else expect([role, status, codes.includes(body.code)]).toEqual([role, 403, true]);
        if (!isOwn) expect(await isSessionToken(system, target.token)).toBe(true);
      }
      // One rule decides about all organizations, and creating one takes long.
      const isDetail =
        declared.owner === "organization" && declared !== organization.adminUpdateOrganization;
      const accepted = isDetail ? ["user"] : ["user", permitted];
      for (const role of rolesFor(declared, accepted, "user")) {
        const other = await (becomesTarget ? signUpAs(system, permitted) : delegate);
        const target = await (declared.owner === "identity"
          ? signUpAs(system, role)
          : sharedUser("accepted", role));
        expect(await callOperation(other, declared, await aim(target, false))).toMatchObject({
          status: 200,
        });
      }
    },
  );

  /** Attack: a delegate gets a working key of a user with other permissions. It needs two permissions, so it is not in the table above. */
  test("re-rolls only the keys of users without other permissions", async () => {
    const delegate = await signUpAs(system, "keyManager");
    const reroll = async (role: string) => {
      const { params } = await atKey(await signUpAs(system, role));
      return (await callOperation(delegate, apikey.adminRerollApiKey, { params, body: {} })).status;
    };
    for (const role of ["auditor", "user,auditor", "admin"]) expect(await reroll(role)).toBe(403);
    for (const role of ["user", "keyManager"]) expect(await reroll(role)).toBe(200);
  });

  test.each(["adminSetMemberRole", "adminRemoveMember", "adminTransferOwnership"] as const)(
    "cannot use %s on a member with another permission, whoever owns the organization",
    async (name) => {
      const declared = organization[name];
      const [delegate, owner, auditor] = await Promise.all(
        ["only-organization-update", "user", "auditor"].map((role) => signUpAs(system, role)),
      );
      const { id } = await createOrganization(owner!);
      const { id: memberId } = await addMember(system, auditor!, { organizationId: id });
      const answer = await callOperation<{ code: string }>(delegate!, declared, {
        params: { id },
        body: { memberId, role: "admin" },
      });
      expect([answer.status, answer.body.code]).toEqual([403, declared.permission.refusal]);
    },
  );

  /** Attack: a delegate who may set roles gives a role with more permissions to an accomplice or to themselves. */
  test("sets only roles whose permissions the delegate has", async () => {
    const mayNot = errorResponse(
      403,
      "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
      "You are not allowed to change users role",
    );
    const [hirer, user] = await Promise.all(
      ["hirer", "user"].map((role) => signUpAs(system, role)),
    );
    for (const role of ["admin", "auditor", "manager,auditor", ["user", "support"]]) {
      const person = { email: newEmail(), password, name: "Eve", role };
      expect(await callAdmin(hirer!, "/create-user", person)).toEqual(mayNot);
      for (const { user: target } of [hirer!, user!])
        expect(await callAdmin(hirer!, "/set-role", { userId: target.id, role })).toEqual(mayNot);
    }
    for (const role of ["manager", "creator,manager", "user"]) {
      const person = { email: newEmail(), password, name: "Eve", role };
      expect((await callAdmin(hirer!, "/create-user", person)).status).toBe(200);
      const input = { userId: user!.user.id, role };
      expect((await callAdmin(hirer!, "/set-role", input)).status).toBe(200);
    }
  });

  test("with several roles has the union of their permissions", async () => {
    const delegate = await signUpAs(system, "support,manager");
    const [lead, auditor] = await Promise.all(
      ["manager,support", "manager,auditor"].map((role) => signUpAs(system, role)),
    );
    const impersonated = await callAdmin(delegate, "/impersonate-user", {
      userId: auditor!.user.id,
    });
    expect(impersonated.status).toBe(403);
    expect((await callAdmin(delegate, "/impersonate-user", { userId: lead!.user.id })).status).toBe(
      200,
    );
    expect((await readSession(delegate.browser))?.user.id).toBe(lead!.user.id);
  });

  /** Returns the audited changes of some users, in commit order. */
  const done = (userIds: readonly string[]) =>
    rows.query(
      `select action, actor_id from identity.audit where subject_id = any($1)
       and action in ('password.set', 'user.role-changed') order by id`,
      userIds,
    );

  test("cannot set the password of a user who is promoted during 16 attempts", async () => {
    const [resetter, target] = [await signUpAs(system, "resetter"), await signUp(system)];
    const { id: userId } = target.user;
    const body = { userId, newPassword: "another horse battery" };
    await Promise.all([
      race(() => callAdmin(resetter, "/set-user-password", body)),
      setRole(system, userId, "admin"),
    ]);
    const actions = (await done([userId])).map(({ action }) => action);
    expect(actions.at(-1)).toBe("user.role-changed");
    expect((await callAdmin(resetter, "/set-user-password", body)).status).toBe(403);
  });

  test("cannot set roles after losing its own, during 16 attempts", async () => {
    const manager = await signUpAs(system, "manager");
    const targets = await Promise.all(Array.from({ length: 16 }, () => signUp(system)));
    const ids = targets.map(({ user }) => user.id);
    await Promise.all([
      ...ids.map((userId) => callAdmin(manager, "/set-role", { userId, role: "manager" })),
      setRole(system, manager.user.id, "user"),
    ]);
    const committed = await done([...ids, manager.user.id]);
    const demoted = committed.findLastIndex(({ actor_id: by }) => by === "backoffice");
    const grantIndex = committed.findLastIndex(
      ({ actor_id: by }) => by === byUser(manager).actor_id,
    );
    expect(grantIndex).toBeLessThan(demoted);
  });
});

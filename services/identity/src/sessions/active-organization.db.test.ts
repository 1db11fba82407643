import type { Caller } from "@latchkey/contracts";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { consumers } from "../consumers.ts";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
  seedUser,
  seedSession,
} from "../db/test-identity.fixture.ts";
import { findUserById } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { chooseOrganization, forgetOrganization } from "./active-organization.ts";
import { resolveSession } from "./resolve-session.ts";

expectNoLeaks("file");

const clock = createTestClock();
const weekSeconds = 604_800;

const { db } = await openIdentityDatabase();
const config = identityConfig({ session: { cookieCache: { enabled: true } } });
const deps = createTestDeps({ config, db, clock: clock.now });

/** Creates a caller for each call, as each request has one. */
const service = (): Caller => ({
  requestId: "r",
  operation: "chooseOrganization",
  baseUrl: "",
  address: "",
  userAgent: "",
  service: "organization",
});

const register = async (): Promise<UserRow> => {
  const user = await seedUser(db);
  return user;
};
const signIn = async (user: UserRow): Promise<string> => {
  const created = await seedSession(deps, user, { caller: service(), remember: true });
  return created.token;
};
const call = <B>(body: B) => ({
  caller: service(),
  body,
  params: undefined,
  query: undefined,
  session: undefined,
});
const choose = async (token: string, organizationId: string | null, browserSession?: boolean) => {
  const own = { token, ...(browserSession === undefined ? {} : { browserSession }) };
  const answer = await chooseOrganization(deps, call({ ...own, organizationId }));
  if (!("reply" in answer)) throw new Error("there is no reply");
  return answer.reply;
};
const forget = async (organizationId: string, userIds: string[], token?: string) => {
  const own = token === undefined ? {} : { own: { token } };
  const answer = await forgetOrganization(deps, call({ organizationId, userIds, ...own }));
  if (!("reply" in answer)) throw new Error("there is no reply");
  return answer.reply;
};
const organizationOf = async (token: string) => {
  const caller = { ...service(), sessionToken: token };
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  return current?.session.activeOrganizationId;
};
const revisionOf = async ({ id }: UserRow) => (await findUserById(db, id))?.revision;

test("a choice reissues the session to the browser, with the organization and the new user revision", async () => {
  const user = await register();
  const token = await signIn(user);
  const { effect, epochs } = await choose(token, "o");
  const epoch = await revisionOf(user);
  expect(epochs).toEqual([{ userId: user.id, epoch }]);
  expect(effect).toEqual({
    kind: "issue",
    token,
    maxAgeSeconds: weekSeconds,
    cached: {
      session: expect.objectContaining({ token, activeOrganizationId: "o" }),
      user: expect.objectContaining({ id: user.id }),
      epoch,
    },
  });
});

test("a session that ends with its browser still does after a choice", async () => {
  const token = await signIn(await register());
  const { effect } = await choose(token, "o", true);
  expect(effect).toMatchObject({ kind: "issue", token, maxAgeSeconds: null });
});

test("rejects a token of no session", async () => {
  await expect(choose("unknown", "o")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  const token = await signIn(await register());
  clock.advance(weekSeconds * 1000 + 1);
  await expect(choose(token, "o")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test("treats an empty organization id as none", async () => {
  const token = await signIn(await register());
  await choose(token, "");
  expect(await organizationOf(token)).toBeNull();
});

test("reissues the caller's own session if forgetting an organization has changed it", async () => {
  const [user, colleague] = [await register(), await register()];
  const [token, other] = [await signIn(user), await signIn(colleague)];
  await choose(token, "o");
  await choose(other, "o");
  const { effect, epochs } = await forget("o", [user.id, colleague.id], token);
  expect(effect).toMatchObject({ kind: "issue", token, maxAgeSeconds: weekSeconds });
  expect(new Set(epochs)).toEqual(
    new Set([
      { userId: user.id, epoch: await revisionOf(user) },
      { userId: colleague.id, epoch: await revisionOf(colleague) },
    ]),
  );
  expect([await organizationOf(token), await organizationOf(other)]).toEqual([null, null]);
});

test("changes nothing if no session works in the forgotten organization", async () => {
  const user = await register();
  const token = await signIn(user);
  await choose(token, "o");
  const revision = await revisionOf(user);
  expect(await forget("another", [user.id], token)).toEqual({ effect: null, epochs: [] });
  expect(await forget("o", [], token)).toEqual({ effect: null, epochs: [] });
  expect([await organizationOf(token), await revisionOf(user)]).toEqual(["o", revision]);
});

test("team-members.removed removes only the team from the sessions concerned, and a repeated delivery changes nothing", async () => {
  const user = await register();
  const token = await signIn(user);
  const place = { organizationId: "o", teamId: "t" };
  await chooseOrganization(deps, call({ token, ...place }));
  const deliver = () =>
    consumers["team-members.removed"](deps, {
      id: "e",
      version: 1,
      occurredAt: new Date(clock.now()).toISOString(),
      name: "team-members.removed",
      data: { ...place, userIds: [user.id] },
    });
  await deliver();
  const revision = await revisionOf(user);
  await deliver();
  expect(await revisionOf(user)).toBe(revision);
  expect(await organizationOf(token)).toBe("o");
  expect(await deps.sessions.listOrganizationHolders([user.id], place)).toEqual([]);
});

test.each(["member.removed", "organization.deleted"] as const)(
  "%s removes the organization from the sessions concerned, delivered once or twice",
  async (name) => {
    const [user, colleague] = [await register(), await register()];
    const [token, other] = [await signIn(user), await signIn(colleague)];
    await choose(token, "o");
    await choose(other, "o");
    const envelope = { id: "e", version: 1, occurredAt: new Date(clock.now()).toISOString() };
    const deliver = () =>
      name === "member.removed"
        ? consumers[name](deps, {
            ...envelope,
            name,
            data: { organizationId: "o", userId: user.id },
          })
        : consumers[name](deps, {
            ...envelope,
            name,
            data: { organizationId: "o", userIds: [user.id] },
          });
    await deliver();
    const revision = await revisionOf(user);
    await deliver();
    expect([await organizationOf(token), await organizationOf(other)]).toEqual([null, "o"]);
    expect(await revisionOf(user)).toBe(revision);
  },
);

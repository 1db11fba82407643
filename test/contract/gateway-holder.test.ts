import type { FullUser } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  cachingConfig,
  sessionTokenCookie,
  untilCached,
  withCookiesOf,
} from "../harness/cached-sessions.ts";
import { replicaCount } from "../harness/configure-system.ts";
import { sessionStores } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import type { System } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

/** Returns how often another service has asked identity for the user of a token. */
const askedIdentity = async ({ urlsOf }: System): Promise<number> => {
  const texts = await Promise.all(
    urlsOf("identity").map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  const counted = texts
    .join("\n")
    .matchAll(/^latchkey_request_seconds_count\{.*operation="resolveSession".*\} (\d+)$/gm);
  return [...counted].reduce((sum, [, count]) => sum + Number(count), 0);
};

describe.each(sessionStores("postgres"))("with sessions in $where", ({ stores }) => {
  let ada: TestUser;
  /** The users passed to the organization service's hook, one for each organization that is created. */
  let passedUsers: FullUser[] = [];
  const config = cachingConfig({
    user: { additionalFields: { bio: { type: "string", required: false } } },
    organization: {
      allowUserToCreateOrganization: (user) => {
        passedUsers.push(user);
        return user.name === "Founder";
      },
    },
  });
  const { system } = useSystem({ stores, config });
  beforeEach(async () => {
    ada = await signUp(system);
    await untilCached(ada.browser);
    passedUsers = [];
  });

  const create = ({ browser }: Pick<TestUser, "browser">, headers = {}) =>
    browser.post("/organization/create", { name: "O", slug: `o-${ada.user.id}` }, headers);
  const notAllowed = errorResponse(
    403,
    "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION",
    "You are not allowed to create a new organization",
  );

  test("a service without users gets the caller with the application's additional fields", async () => {
    await ada.browser.post("/update-user", { bio: "Countess" });
    expect(await readResponse(await create(ada))).toEqual(notAllowed);
    expect(passedUsers).toEqual([
      expect.objectContaining({
        id: ada.user.id,
        email: ada.email,
        role: "user",
        bio: "Countess",
        createdAt: expect.any(Date),
      }),
    ]);
  });

  test("a valid cached session identifies the caller, unless it is older than a change", async () => {
    const elsewhere = withCookiesOf(system.url, ada.browser);
    const before = await askedIdentity(system);
    await create(ada);
    expect([passedUsers[0]?.id, await askedIdentity(system)]).toEqual([ada.user.id, before]);
    await ada.browser.post("/update-user", { name: "Augusta" });
    await create({ browser: elsewhere });
    // Another gateway knows the change a moment later.
    if (replicaCount > 1 && passedUsers[1]?.name !== "Augusta")
      await until(async () => {
        await create({ browser: elsewhere });
        return passedUsers.at(-1)?.name === "Augusta";
      });
    expect([passedUsers.at(-1)?.name, await askedIdentity(system)]).toEqual([
      "Augusta",
      before + 1,
    ]);
  });

  test("a token without a cached session is looked up, a bearer token too", async () => {
    const before = await askedIdentity(system);
    const token = ada.browser.cookies.get(sessionTokenCookie) ?? "";
    const bearer = { authorization: `Bearer ${decodeURIComponent(token)}` };
    await create({ browser: createBrowserLike(system.url) }, bearer);
    expect([passedUsers[0]?.id, await askedIdentity(system)]).toEqual([ada.user.id, before + 1]);
  });

  test("a user that is too large for a header is passed without the application's additional fields", async () => {
    const bio = "\u20ac".repeat(60_000);
    expect((await ada.browser.post("/update-user", { bio })).status).toBe(200);
    expect(await readResponse(await create(ada))).toEqual(notAllowed);
    expect(passedUsers[0]).toMatchObject({ id: ada.user.id, email: ada.email });
    expect(passedUsers[0]).not.toHaveProperty("bio");
  });

  /** Attack: using a revoked or unsigned token. */
  test("an invalid token has no user, and the operation rejects it", async () => {
    const ended = withCookiesOf(system.url, ada.browser);
    await ada.browser.post("/sign-out");
    const forged = createBrowserLike(system.url);
    forged.cookies.set(sessionTokenCookie, "someone.forged");
    const nobody = createBrowserLike(system.url);
    for (const browser of [ended, forged, nobody]) {
      const answer = await create({ browser });
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { code: "UNAUTHORIZED", message: "Unauthorized" },
      ]);
      const update = await browser.post("/organization/update", { data: {} });
      expect([update.status, await update.json()]).toEqual([
        401,
        { code: "USER_NOT_FOUND", message: "User not found" },
      ]);
    }
    expect(passedUsers).toEqual([]);
  });

  test("an organization in which a session works is visible at once, whatever the cached session says", async () => {
    const activeIn = async (browser: TestUser["browser"]) => {
      const shown = await browser.get("/get-session");
      const body = (await shown.json()) as { session: { activeOrganizationId: string | null } };
      return body.session.activeOrganizationId;
    };
    await ada.browser.post("/update-user", { name: "Founder" });
    const elsewhere = withCookiesOf(system.url, ada.browser);
    expect(await activeIn(elsewhere)).toBeNull();
    const created = await create(ada);
    const { id } = (await created.json()) as { id: string };
    expect(await activeIn(ada.browser)).toBe(id);
    expect(await activeIn(elsewhere)).toBe(id);
    const again = withCookiesOf(system.url, ada.browser);
    await ada.browser.post("/organization/delete", { organizationId: id });
    expect(await activeIn(again)).toBeNull();
    expect(await activeIn(ada.browser)).toBeNull();
  });
});

import { createAuthClient } from "better-auth/client";
import {
  adminClient,
  organizationClient,
  twoFactorClient,
  usernameClient,
} from "better-auth/client/plugins";
import {
  createSecretRing,
  decodeBase32,
  sealLegacyKey,
  totpCode,
  totpStep,
  totpUri,
} from "@latchkey/crypto";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { afterAll, describe, expect, test } from "vitest";
import { createCookieFetch } from "../compat/cookie-fetch.ts";
import { Refusal } from "../../apps/cli/src/terminal/refusal.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { beginPasskeySignIn, newAuthenticator, tryPasskeySignIn } from "../harness/passkeys.ts";
import { type BetterAuthApp, sourcePassword, startBetterAuth } from "./better-auth-app.ts";
import { sourceSecret, type Version } from "./create-better-auth.ts";
import { testIf } from "../harness/matrix.ts";
import { useSystem } from "../harness/use-system.ts";
import { importInto } from "./import-into.ts";

expectNoLeaks("file");

const serviceToken = "a token of the service that verifies keys";

const codeOf = (totpURI: string): string => {
  const form = { digits: 6, period: 30 };
  const secret = decodeBase32(new URL(totpURI).searchParams.get("secret") ?? "") ?? Buffer.alloc(0);
  return totpCode(secret, totpStep(Date.now(), form), form);
};

const sealIn12 = (text: string) =>
  sealLegacyKey(createSecretRing([sourceSecret]), text).replaceAll('"', "");

/** Creates what the second factor of version 1.2 stores. Its plugin does not start with current libraries. */
const enableIn12 = async (app: BetterAuthApp, { id, email }: { id: string; email: string }) => {
  await app.pool.query(`alter table "user" add if not exists "twoFactorEnabled" boolean`);
  await app.pool
    .query(`create table if not exists "twoFactor" (id text primary key, secret text not null,
    "backupCodes" text not null, "userId" text not null references "user" (id))`);
  const secret = "abcdefghijklmnopqrstuvwxyzABCDEF";
  const backupCodes = ["abcde-FGHIJ", "klmno-PQRST"];
  await app.pool.query(
    `insert into "twoFactor" (id, secret, "backupCodes", "userId") values ('app of ' || $1, $2, $3, $1)`,
    [id, sealIn12(secret), sealIn12(JSON.stringify(backupCodes))],
  );
  const form = { digits: 6, period: 30, issuer: "Source", account: email };
  return { totpURI: totpUri(Buffer.from(secret), form), backupCodes };
};

/** Signs a user up who prepares an authenticator app. */
const signUpWithApp = async (app: BetterAuthApp, name: string, version: Version) => {
  const user = await app.signUp(name);
  if (version === "1.2") return { ...user, ...(await enableIn12(app, user)) };
  const sent = { password: sourcePassword };
  const { reply } = await app.call("/two-factor/enable", sent, user.cookie);
  return { ...user, ...(reply as { totpURI: string; backupCodes: string[] }) };
};

const confirmApp = (
  app: BetterAuthApp,
  { id, cookie, totpURI }: { id: string; cookie: string; totpURI: string },
  version: Version,
): Promise<unknown> =>
  version === "1.2"
    ? app.pool.query(`update "user" set "twoFactorEnabled" = true where id = $1`, [id])
    : app.call("/two-factor/verify-totp", { code: codeOf(totpURI) }, cookie);

/** Fills an application with users, an organization with a team, an invitation, keys, a ban and an account at a provider. */
const live = async (app: BetterAuthApp, version: Version) => {
  const [ada, bea, carl] = [
    await app.signUp("ada"),
    await app.signUp("bea"),
    await app.signUp("carl"),
  ];
  const fay = await signUpWithApp(app, "fay", version);
  await confirmApp(app, fay, version);
  const gil = await signUpWithApp(app, "gil", version);
  const made = { name: "Acme", slug: "acme", metadata: { plan: "gold" } };
  const { reply: organization } = await app.call("/organization/create", made, ada.cookie);
  const team = { name: "Core", organizationId: organization.id };
  const { reply: core } = await app.call("/organization/create-team", team, ada.cookie);
  const invited = { email: bea.email, role: "admin", organizationId: organization.id };
  const { reply: invitation } = await app.call("/organization/invite-member", invited, ada.cookie);
  // Here the creator of an organization is already in a first team.
  if (version === "current") await app.pool.query('delete from "teamMember"');
  await app.pool.query(
    version === "1.2"
      ? `update member set "teamId" = $1 where "userId" = $2`
      : `insert into "teamMember" (id, "teamId", "userId", "createdAt") values ('tm', $1, $2, now())`,
    [core.id, ada.id],
  );
  const { reply: token } = await app.call("/token", undefined, ada.cookie);
  const limits = { userId: ada.id, remaining: 5, rateLimitEnabled: false, name: "ci" };
  const key = (await app.api["createApiKey"]!({
    body: { ...limits, permissions: { invoice: ["read"] }, metadata: { team: "core" } },
  })) as { key: string; id: string };
  await app.pool.query(
    `insert into account (id, "accountId", "providerId", "userId", "accessToken", scope, "createdAt", "updatedAt")
    values ('social', 'g-1', 'google', $1, 'ya29.token', 'openid,email', now(), now())`,
    [bea.id],
  );
  await app.pool.query('update "user" set "emailVerified" = true where id = $1', [bea.id]);
  await app.pool.query(
    `update "user" set banned = true, "banReason" = 'spam', role = 'admin,astronaut' where id = $1`,
    [carl.id],
  );
  const credentials = { email: bea.email, password: sourcePassword, rememberMe: false };
  const { cookie: brief } = await app.call("/sign-in/email", credentials);
  return {
    ada,
    bea,
    carl,
    fay,
    gil,
    brief,
    organization,
    core,
    invitation,
    token: token.token as string,
    key,
  };
};

/**
 * Ignores refusals: of several concurrent runs, one proceeds and the others wait for it or are refused. Also ignores that a connection took
 * too long, because the source blocks this process.
 */
const refused = (error: unknown): void => {
  const isTooLate = error instanceof Error && error.message.includes("connection timeout");
  if (!(error instanceof Refusal) && !isTooLate) throw error;
};

const worlds = [
  { stores: "postgres", version: "1.2" },
  { stores: "redis", version: "current" },
] as const;

describe.each(worlds)(
  "imports a database of better-auth $version into $stores",
  ({ stores, version }) => {
    let app: BetterAuthApp;
    let before: Awaited<ReturnType<typeof live>>;
    let first: Awaited<ReturnType<typeof importInto>>;
    const { system } = useSystem(async () => {
      app = await startBetterAuth(version);
      before = await live(app, version);
      return {
        stores,
        passwords: "real",
        config: {
          advanced: { cookiePrefix: "better-auth" },
          organization: { teams: { enabled: true } },
          serviceTokens: { verifier: serviceToken },
          socialProviders: { google: { clientId: "id", clientSecret: "secret" } },
        },
        prepare: async (settings) => {
          first = await importInto({ settings }, app.url);
        },
      };
    });
    afterAll(async () => {
      await app?.stop();
    });

    const clientWith = (cookie = "") => {
      const { cookieFetch, jar } = createCookieFetch(system.origin);
      for (const pair of cookie.split("; ").filter(Boolean)) {
        const [name = "", value = ""] = pair.split(/=(.*)/s);
        jar.set(name, value);
      }
      return createAuthClient({
        baseURL: system.url,
        fetchOptions: { customFetchImpl: cookieFetch },
        plugins: [
          organizationClient({ teams: { enabled: true } }),
          usernameClient(),
          adminClient(),
          twoFactorClient(),
        ],
      });
    };
    const verify = async (key: string) => {
      const response = await fetch(`${system.urlOf("apikey")}/internal/api-key/verify`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${serviceToken}` },
        body: JSON.stringify({ key }),
      });
      return (await response.json()) as { valid: boolean; key: Record<string, unknown> | null };
    };

    // Both versions keep these in one form.
    const testOnce = testIf(version === "current");

    test("keeps live sessions by their cookies", async () => {
      const { data } = await clientWith(before.ada.cookie).getSession();
      expect(data?.user).toMatchObject({ id: before.ada.id, email: before.ada.email });
      expect(data?.session).toMatchObject({ activeOrganizationId: before.organization.id });
    });

    testOnce(
      "does not extend a session that was not remembered in the source, with or without its marker",
      async () => {
        const tokenAlone = before.brief
          .split("; ")
          .filter((pair) => !pair.includes("dont_remember"));
        const { data } = await clientWith(tokenAlone.join("; ")).getSession();
        const { expiresAt, createdAt } = data?.session ?? {};
        // The source reads its clock separately for each of the two.
        expect(Math.abs(Number(expiresAt) - Number(createdAt) - 86_400_000)).toBeLessThan(1000);
        expect(data?.user.id).toBe(before.bea.id);
      },
    );

    test("lets every user sign in with the password, by address or by username", async () => {
      const { data } = await clientWith().signIn.email({
        email: "Bea@example.com",
        password: sourcePassword,
      });
      expect(data?.user.id).toBe(before.bea.id);
      const named = await clientWith().signIn.username({
        username: "ada_x",
        password: sourcePassword,
      });
      expect(named.data?.user.id).toBe(before.ada.id);
    });

    test("asks for the app of the source, and takes its backup codes once", async () => {
      const { email, totpURI, backupCodes, id } = before.fay;
      const credentials = { email, password: sourcePassword };
      const challenged = async () => {
        const client = clientWith();
        expect((await client.signIn.email(credentials)).data).toMatchObject({
          twoFactorRedirect: true,
          twoFactorMethods: ["totp"],
        });
        return client;
      };
      const code = backupCodes[0] ?? "";
      const statuses = [];
      for (const client of [await challenged(), await challenged()])
        statuses.push((await client.twoFactor.verifyBackupCode({ code })).error?.status ?? 200);
      expect(statuses).toEqual([200, 401]);
      const client = await challenged();
      expect((await client.twoFactor.verifyTotp({ code: codeOf(totpURI) })).error).toBeNull();
      expect((await client.getSession()).data?.user.id).toBe(id);
      // The app of this user was never confirmed.
      const unasked = await clientWith().signIn.email({ ...credentials, email: before.gil.email });
      expect(unasked.data?.user.id).toBe(before.gil.id);
      expect(first.output).toContain(
        version === "1.2"
          ? "twoFactor: the second factor of its user is off"
          : "twoFactor: it was never confirmed",
      );
    });

    testOnce("lets users sign in by passkeys that were registered in the source", async () => {
      await app.pool
        .query(`create table passkey (id text primary key, name text, "publicKey" text not null,
        "userId" text not null references "user" (id), "credentialID" text not null, counter integer not null,
        "deviceType" text not null, "backedUp" boolean not null, transports text, "createdAt" timestamptz, aaguid text)`);
      const authenticator = newAuthenticator(system);
      const browser = createBrowserLike(system.url);
      const { rpId, challenge } = await beginPasskeySignIn(browser);
      const { id, response } = authenticator.create({
        challenge,
        rp: { id: rpId },
        user: { id: "aGFuZGxl" },
        pubKeyCredParams: [{ alg: -7 }],
      });
      const attestation = Buffer.from(response.attestationObject, "base64url");
      const idBytes = Buffer.from(id, "base64url");
      const publicKey = attestation.subarray(attestation.indexOf(idBytes) + idBytes.length);
      const insert = `insert into passkey values ($1, 'key', $2, $3, $4, 0, 'singleDevice', false, 'usb', $5, null)`;
      const values = [publicKey.toString("base64"), before.ada.id, id];
      await app.pool.query(insert, ["older", ...values, new Date(0)]);
      await app.pool.query(insert, ["newer", ...values, new Date()]);
      const { counts, output } = await importInto(system, app.url);
      expect(counts["passkey"]).toEqual({ added: 1, changed: 0, removed: 0 });
      expect(output).toContain("passkey: a newer passkey has its credential id");
      const { status, body } = await tryPasskeySignIn(browser, authenticator);
      expect([status, body.user?.id]).toEqual([200, before.ada.id]);
    });

    testOnce("keeps bans, and keeps only roles that are configured", async () => {
      const { error } = await clientWith().signIn.email({
        email: before.carl.email,
        password: sourcePassword,
      });
      expect(error?.status).toBe(403);
      expect(first.output).toContain('user: its role "astronaut" is not one of admin.roles');
    });

    testOnce("says once, and not for each user, that a source has no roles", async () => {
      await app.pool.query('alter table "user" rename column role to unread');
      const { output } = await importInto(system, app.url, { isDryRun: true });
      await app.pool.query('alter table "user" rename column unread to role');
      expect(output.match(/\brole(?!s)\b.*/g)).toEqual(["role user."]);
      expect(output).toContain("The source has no roles of users: new users get the role user.");
    });

    testOnce(
      "counts the users who have a password and no verified address, whatever the type of the column",
      async () => {
        const reported = async () => {
          const { output } = await importInto(system, app.url, { isDryRun: true });
          return Number(/without a verified address: (\d+)\./.exec(output)?.[1]);
        };
        const { rows } = await app.pool.query<{ id: string }>(
          `select id from "user" u where not "emailVerified" and exists (
           select from account a where a."userId" = u.id and a.password is not null) order by id`,
        );
        expect(rows.length).toBeGreaterThan(1);
        expect(await reported()).toBe(rows.length);
        const verify = `update "user" set "emailVerified" = $2 where id = $1`;
        await app.pool.query(verify, [rows[0]?.id, true]);
        expect(await reported()).toBe(rows.length - 1);
        const retype = (type: string) =>
          app.pool.query(
            `alter table "user" alter "emailVerified" drop default,
             alter "emailVerified" type ${type} using "emailVerified"::${type}`,
          );
        await retype("text");
        expect(await reported()).toBe(rows.length - 1);
        await retype("boolean");
        await app.pool.query(verify, [rows[0]?.id, false]);
      },
    );

    test("verifies a token that the source issued with the imported keys", async () => {
      const keys = createRemoteJWKSet(new URL(`${system.url}/jwks`));
      const { payload } = await jwtVerify(before.token, keys);
      expect(payload["id"]).toBe(before.ada.id);
      const { data } = await clientWith(before.bea.cookie).$fetch<{ token: string }>("/token");
      expect(decodeProtectedHeader(data?.token ?? "").kid).toBe(
        decodeProtectedHeader(before.token).kid,
      );
    });

    test("keeps the remaining uses of a key", async () => {
      const used = await verify(before.key.key);
      expect(used).toMatchObject({
        valid: true,
        key: {
          id: before.key.id,
          remaining: 4,
          userId: before.ada.id,
          metadata: { team: "core" },
          permissions: { invoice: ["read"] },
        },
      });
    });

    test("keeps members, roles and teams of an organization, and its invitation can be accepted", async () => {
      const owner = clientWith(before.ada.cookie);
      const full = await owner.organization.getFullOrganization();
      expect(full.data?.members).toMatchObject([{ userId: before.ada.id, role: "owner" }]);
      expect(full.data?.members[0]).toMatchObject({ teamId: before.core.id });
      const guest = clientWith(before.bea.cookie);
      const accepted = await guest.organization.acceptInvitation({
        invitationId: before.invitation.id,
      });
      expect(accepted.data?.member).toMatchObject({ userId: before.bea.id, role: "admin" });
    });

    testOnce("links accounts at providers", async () => {
      const { data } = await clientWith(before.bea.cookie).listAccounts();
      const accounts = data as unknown as { provider: string }[]; // the name of the field on the wire
      expect(accounts.map(({ provider }) => provider).toSorted()).toEqual(["credential", "google"]);
    });

    testOnce("changes in a second run only what has changed in the source since", async () => {
      const again = await importInto(system, app.url);
      const changes = Object.values(again.counts).flatMap((each) => Object.values(each));
      expect(changes.every((count) => count === 0)).toBe(true);

      const dora = await app.signUp("dora");
      await app.pool.query(`update "user" set name = 'Ada Lovelace' where id = $1`, [
        before.ada.id,
      ]);
      await app.pool.query(`delete from session where "userId" = $1`, [before.ada.id]);
      await app.pool.query(`delete from apikey where id = $1`, [before.key.id]);
      await app.pool.query(`update "user" set banned = false where id = $1`, [before.carl.id]);
      const dry = await importInto(system, app.url, { isDryRun: true });
      expect((await clientWith(dora.cookie).getSession()).data).toBeNull();
      const third = await importInto(system, app.url);
      expect(third.counts).toEqual(dry.counts);
      expect(third.counts["user"]).toEqual({ added: 1, changed: 2, removed: 0 });
      expect(third.counts["session"]).toEqual({ added: 2, changed: 0, removed: 1 });
      expect((await clientWith(dora.cookie).getSession()).data?.user.id).toBe(dora.id);
      expect((await clientWith(before.ada.cookie).getSession()).data).toBeNull();
      const renamed = await clientWith().signIn.email({
        email: before.ada.email,
        password: sourcePassword,
      });
      expect(renamed.data?.user.name).toBe("Ada Lovelace");
      // Kept, because it was used here since: the user who removed it in the source may not know that.
      expect(third.output).toContain(
        "apikey: it is gone there, and was changed or removed here since",
      );
      await until(
        async () =>
          (await clientWith().signIn.email({ email: before.carl.email, password: sourcePassword }))
            .data?.user.id === before.carl.id,
      );
    });

    testOnce(
      "imports while users sign up in the source and others use Latchkey, and a last run imports all of them",
      async () => {
        const names = Array.from({ length: 6 }, (_, index) => `late${index}`);
        // One after the other, because 1.2 hashes in JavaScript and thus blocks this whole process.
        const signUpAll = async () => {
          const people = [];
          for (const name of names) people.push(await app.signUp(name));
          return people;
        };
        const signUps = signUpAll();
        const meanwhile = Array.from({ length: 2 }, () =>
          importInto(system, app.url).catch(refused),
        );
        // Retried if the machine is too busy to respond. A response without a session counts as one.
        const serving = clientWith(before.bea.cookie);
        const serve = () =>
          until(async () => {
            const { data, error } = await serving.getSession();
            return error ? undefined : { id: data?.user.id };
          });
        const served = await Promise.all(names.map(serve));
        expect(served).toEqual(names.map(() => ({ id: before.bea.id })));
        const people = await signUps;
        await Promise.all(meanwhile);
        await importInto(system, app.url);
        for (const { id, cookie } of people)
          expect((await clientWith(cookie).getSession()).data?.user.id).toBe(id);
      },
    );
  },
);

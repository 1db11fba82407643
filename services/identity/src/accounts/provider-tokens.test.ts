import type { ResolvedSession } from "@latchkey/service-kit/http";
import { expect, test } from "vitest";
import { identityConfig } from "../db/test-identity.fixture.ts";
import type { Provider } from "../providers/provider-client.ts";
import { showTokens } from "./provider-tokens.ts";

const now = Date.UTC(2026, 0, 1);
const config = identityConfig({ account: { returnRefreshToken: true } });
const tokens = { accessToken: "access", refreshToken: "refresh", idToken: "id" };
const day = 86_400_000;

const sessionOf = (age: number, impersonatedBy: string | null = null) =>
  ({
    session: { impersonatedBy },
    user: { twoFactorEnabled: false },
    authentication: { authenticatedAt: new Date(now - age), secondFactorAt: null, methods: [] },
  }) as unknown as ResolvedSession;

const providerWith = (acceptsAccessTokens: boolean, disableIdTokenSignIn = false) =>
  ({
    options: { disableIdTokenSignIn },
    known: () => ({ clientIdToken: { acceptsAccessTokens } }),
  }) as unknown as Provider;

const show = (session: ResolvedSession | undefined, provider = providerWith(false)) =>
  showTokens({ clock: () => now, config }, { provider, tokens }, session).reply;

const idTokenFor = (session: ResolvedSession | undefined) => show(session).idToken;

test("only a session that has signed in lately gets the id token, which would sign in anew", () => {
  expect(idTokenFor(sessionOf(1_000))).toBe("id");
  expect(idTokenFor(sessionOf(30 * day))).toBeUndefined();
  expect(idTokenFor(sessionOf(1_000, "an admin"))).toBeUndefined();
});

test("an internal service gets it, and every caller the other tokens", () => {
  expect(idTokenFor(undefined)).toBe("id");
  expect(show(sessionOf(30 * day))).toEqual({ accessToken: "access", refreshToken: "refresh" });
});

test("an access token that would sign in is shown to a strong session and to services only", () => {
  const signsIn = providerWith(true);
  expect(show(undefined, signsIn).accessToken).toBe("access");
  expect(show(sessionOf(1_000), signsIn).accessToken).toBe("access");
  expect(() => show(sessionOf(30 * day), signsIn)).toThrow(/not fresh/u);
  expect(() => show(sessionOf(1_000, "an admin"), signsIn)).toThrow(/forbidden/iu);
  expect(show(sessionOf(30 * day), providerWith(true, true)).accessToken).toBe("access");
});

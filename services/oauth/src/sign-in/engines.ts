import { operations } from "@latchkey/contracts";
import type { SecretRing } from "@latchkey/crypto";
import type { ServiceClient } from "@latchkey/service-kit/http";
import type { Kysely } from "kysely";
import type { OauthConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { EngineOptions } from "../engine/configuration.ts";
import type { Engine } from "../engine/engine.ts";
import type { FindSubject } from "../engine/grants.ts";
import { signQuery } from "../engine/oauth-query.ts";
import {
  keysMilliseconds,
  loadSigningKeys,
  type SigningKey,
} from "../signing-keys/signing-keys.ts";
import { findAmong } from "../engine/resources.ts";
import { interactionSeconds } from "../engine/work.ts";

interface Needs {
  config: OauthConfig;
  db: Kysely<Tables>;
  ring: SecretRing;
  clock: () => number;
  identity: Pick<ServiceClient, "call">;
}

/** Returns the engine of an issuer. */
export type FindEngine = (issuer: string) => Promise<Engine>;

const { findGrantSubject } = operations.identity;

/** Creates the look-up of users in identity. Their claims are what is stored, and nothing that is guessed from it. */
const createSubjects =
  ({ identity }: Pick<Needs, "identity">): FindSubject =>
  async (userId, sessionId) => {
    const reply = await identity.call(findGrantSubject, { body: { userId, sessionId } });
    if (!reply) return undefined;
    const { user, accessEpoch, hasSession } = reply;
    const { name, image, email, emailVerified, updatedAt } = user;
    const username = "username" in user ? user.username : undefined;
    return {
      accessEpoch,
      hasSession,
      claims: {
        name: name || undefined,
        picture: image ?? undefined,
        preferred_username: username ?? undefined,
        updated_at: Math.floor(Date.parse(updatedAt) / 1_000),
        email,
        email_verified: emailVerified,
      },
    };
  };

/** The pages of the account web, by prompt. */
const paths: Readonly<Record<string, string>> = { create: "/sign-up", select_account: "/choose" };

/**
 * Returns the addresses of the pages on which users answer interactions. The pages of the account web lead back by `redirect_to`. Pages of an
 * application get the whole request in their query, as the client plugin of better-auth expects it.
 */
const createPages = ({ config, ring, clock }: Needs, issuer: string): EngineOptions["pageOf"] => {
  const { loginPage, consentPage } = config.oauthProvider;
  const account = new URL(issuer).origin + config.accountPath.replace(/\/$/, "");
  return ({ id: interactionId, prompt, params, isSignedIn }) => {
    const times = { now: clock(), lifetimeSeconds: interactionSeconds };
    const query = signQuery(ring, { interactionId, params }, times);
    const locales = params["ui_locales"];
    const language = { ...(typeof locales === "string" && { ui_locales: locales }) };
    // Short enough for pages that lead on to another address.
    const back = signQuery(ring, { interactionId, params: {} }, times);
    if (prompt === "consent")
      return consentPage === undefined
        ? `${account}/consent?${new URLSearchParams({ query, back, ...language }).toString()}`
        : `${consentPage}?${query}`;
    if (loginPage !== undefined) return `${loginPage}?${query}`;
    const email = params["login_hint"];
    const search = new URLSearchParams({
      redirect_to: `${issuer}/oauth2/authorize?${back}`,
      // A user who is signed in already would be led on without signing in again.
      ...(isSignedIn && prompt !== "select_account" && { add: "true" }),
      ...(typeof email === "string" && email.includes("@") && { email }),
      ...language,
    });
    return `${account}${paths[prompt] ?? "/sign-in"}?${search.toString()}`;
  };
};

/** Enough for installations with several base URLs. */
const issuersMax = 8;

/** Creates the look-up of the signing keys, which reads them again after a while. */
const createKeys = (needs: Needs): (() => Promise<SigningKey[]>) => {
  let cached: { readAt: number; keys: Promise<SigningKey[]> } | undefined;
  return () => {
    if (cached && needs.clock() - cached.readAt < keysMilliseconds) return cached.keys;
    const reading = { readAt: needs.clock(), keys: loadSigningKeys(needs) };
    cached = reading;
    reading.keys.catch(() => {
      if (cached === reading) cached = undefined;
    });
    return reading.keys;
  };
};

/**
 * Creates the look-up of engines by issuer, which is the base URL. An engine, and the library on which it is built, are loaded at the first
 * request. Other signing keys make another engine.
 */
export const createEngines = (needs: Needs): FindEngine => {
  const engines = new Map<string, Promise<Engine>>();
  const findKeys = createKeys(needs);
  const load = async (issuer: string, keys: readonly SigningKey[]): Promise<Engine> => {
    const { createEngine } = await import("../engine/engine.ts");
    return createEngine({
      ...needs,
      ...needs.config.oauthProvider,
      deviceCodeExpiresIn: needs.config.deviceAuthorization.expiresIn,
      issuer,
      keys,
      findSubject: createSubjects(needs),
      findResource: async (id) => findAmong(needs.config.oauthProvider.resources, id),
      pageOf: createPages(needs, issuer),
    });
  };
  return async (issuer) => {
    const keys = await findKeys();
    const name = [issuer, ...keys.map(({ kid }) => kid)].join(" ");
    const cached = engines.get(name);
    if (cached) return cached;
    if (engines.size >= issuersMax) engines.clear();
    const loaded = load(issuer, keys);
    engines.set(name, loaded);
    loaded.catch(() => engines.delete(name));
    return loaded;
  };
};

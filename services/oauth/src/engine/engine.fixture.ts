import { createHash } from "node:crypto";
import { createSecretRing, generateJwkPair, hashToken, randomToken } from "@latchkey/crypto";
import type { OauthResource } from "@latchkey/contracts";
import { serviceFixture, testSecret } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { migrations } from "../db/migrations.ts";
import { schema, type Tables } from "../db/tables.ts";
import type { Subject } from "./grants.ts";
import { findAmong } from "./resources.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { ProtocolAnswer } from "./protocol-request.ts";
import { readQuery, signQuery } from "./oauth-query.ts";
import { interactionSeconds, type SignedIn } from "./work.ts";

export const { open: openOauthDatabase } = serviceFixture<Tables, object>({
  schema,
  folder: `${import.meta.dirname}/../db`,
  migrations,
  readConfig: () => ({}),
});

const ring = createSecretRing([testSecret]);
const issuer = "https://auth.example.com/api/auth";
export const redirectUri = "https://app.example.com/callback";

/** A user whom the engine can find, and their sessions. */
export interface KnownUser extends Subject {
  sessions: Set<string>;
  isBanned: boolean;
}

const newKey = async (alg: "EdDSA" | "ES256" | "RS256") => {
  const { privateJwk } = await generateJwkPair(
    alg === "RS256"
      ? { alg, modulusLength: 2_048 }
      : alg === "EdDSA"
        ? { alg, crv: "Ed25519" }
        : { alg },
  );
  return { ...privateJwk, alg, use: "sig" as const, kid: randomToken(16, "alphanumeric") };
};
const keys = await Promise.all((["RS256", "ES256", "EdDSA"] as const).map(newKey));

/** The resources of the tests. */
export const api: OauthResource = {
  identifier: "https://api.example.com/v1",
  scopes: ["reports", "invoices"],
  registeredClients: false,
  accessTokenFormat: "jwt",
  accessTokenExpiresIn: 600,
};
export const opaqueApi: OauthResource = {
  ...api,
  identifier: "https://opaque.example.com/",
  accessTokenFormat: "opaque",
};

/** The users of a test, instead of those of identity. */
export const createUsers = () => {
  const users = new Map<string, KnownUser>();
  return {
    /** Adds a user with a session. */
    signIn: (claims: Record<string, unknown> = {}): SignedIn => {
      const userId = randomToken(32, "alphanumeric");
      const sessionId = randomToken(32, "alphanumeric");
      users.set(userId, {
        accessEpoch: 1,
        hasSession: true,
        isBanned: false,
        claims: { name: "Ada", email: "ada@example.com", email_verified: true, ...claims },
        sessions: new Set([sessionId]),
      });
      const authenticatedAt = new Date();
      return { userId, sessionId, authenticatedAt, amr: ["pwd"], acr: "urn:latchkey:aal1" };
    },
    of: (userId: string): KnownUser => {
      const user = users.get(userId);
      if (!user) throw new Error(`no user ${userId}`);
      return user;
    },
    delete: (userId: string) => users.delete(userId),
    find: async (userId: string, sessionId: string | null): Promise<Subject | undefined> => {
      const user = users.get(userId);
      if (!user || user.isBanned) return undefined;
      return { ...user, hasSession: sessionId === null || user.sessions.has(sessionId) };
    },
  };
};
export type Users = ReturnType<typeof createUsers>;

/** Starts an engine, as each replica of the service has one. */
export const startEngine = (
  db: Kysely<Tables>,
  { users, clock = Date.now }: { users: Users; clock?: () => number },
): Engine =>
  createEngine({
    db,
    ring,
    clock,
    issuer,
    scopes: ["openid", "profile", "email", "offline_access"],
    keys,
    accessTokenExpiresIn: 3_600,
    m2mAccessTokenExpiresIn: 3_600,
    idTokenExpiresIn: 3_600,
    refreshTokenExpiresIn: 2_592_000,
    codeExpiresIn: 60,
    deviceCodeExpiresIn: 600,
    enforcePerClientResources: true,
    findResource: async (id) => findAmong([api, opaqueApi], id),
    findSubject: users.find,
    pageOf: ({ id, prompt, params }) => {
      const request = { interactionId: id, params };
      const times = { now: clock(), lifetimeSeconds: interactionSeconds };
      return `https://auth.example.com/account/${prompt}?${signQuery(ring, request, times)}`;
    },
  });

/** Adds a client with a secret. */
export const addClient = async (
  db: Kysely<Tables>,
  given: {
    metadata?: object;
    machineScopes?: string;
    requirePkce?: boolean;
    resources?: string;
    skipConsent?: boolean;
  } = {},
) => {
  const id = randomToken(32, "alphanumeric");
  const secret = `lk_cs_${randomToken(32, "alphanumeric")}`;
  const now = new Date();
  await db
    .insertInto("client")
    .values({
      id,
      metadata: JSON.stringify({
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_basic",
        scope: "openid profile email offline_access",
        ...given.metadata,
      }),
      disabled: false,
      skipConsent: given.skipConsent ?? false,
      requirePkce: given.requirePkce ?? true,
      machineScopes: given.machineScopes ?? "",
      resources: given.resources ?? "",
      origin: "admin",
      createdBy: "the-admin",
      createdAt: now,
      updatedAt: now,
      lastUsedAt: null,
    })
    .execute();
  await db
    .insertInto("clientSecret")
    .values({ hash: hashToken(secret), clientId: id, createdAt: now, expiresAt: null })
    .execute();
  return { id, secret };
};
export type TestClient = Awaited<ReturnType<typeof addClient>>;

export const verifier = randomToken(43, "urlSafe");
const challenge = createHash("sha256").update(verifier).digest("base64url");

export const authorizeSearch = (client: TestClient, more: Record<string, string> = {}): string =>
  `?${new URLSearchParams({
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: "openid profile email offline_access",
    state: "a state",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  }).toString()}`;

export const basic = ({ id, secret }: TestClient): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`;

/** Posts a form as a client. */
export const postForm = (
  engine: Engine,
  path: string,
  {
    client,
    form,
    headers = {},
  }: {
    client: TestClient;
    form: Record<string, string>;
    headers?: Record<string, string>;
  },
): Promise<ProtocolAnswer> =>
  engine.run({
    method: "POST",
    path,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      authorization: basic(client),
      ...headers,
    },
    body: new URLSearchParams(form).toString(),
  });

export const placeOf = ({ headers }: ProtocolAnswer): URL => new URL(headers["location"] ?? "");

/** Reads the interaction of the page to which the engine sends a browser. */
export const interactionOf = (answer: ProtocolAnswer): string => {
  const read = readQuery(ring, placeOf(answer).search, Date.now());
  if (!read) throw new Error(`no interaction in ${JSON.stringify(answer)}`);
  return read.interactionId;
};

const allScopes = ["openid", "profile", "email", "offline_access"];

/** Lets a user grant a client everything that it asks for. Returns the code. */
export const obtainCode = async (
  engine: Engine,
  client: TestClient,
  {
    session,
    more,
    scopes = allScopes,
  }: { session: SignedIn; more?: Record<string, string>; scopes?: string[] },
): Promise<string> => {
  const page = await engine.run({
    method: "GET",
    path: "/oauth2/authorize",
    search: authorizeSearch(client, more),
    session,
  });
  const answered = await engine.resume(interactionOf(page), {
    session,
    result: { consent: { scopes } },
  });
  return placeOf(answered).searchParams.get("code") ?? JSON.stringify(answered);
};

/** Exchanges a code. */
export const exchange = (
  engine: Engine,
  client: TestClient,
  grant: string | { code: string; resource?: string; dpop?: string },
): Promise<ProtocolAnswer> => {
  const { dpop, ...form }: { code: string; resource?: string; dpop?: string } =
    typeof grant === "string" ? { code: grant } : grant;
  return postForm(engine, "/oauth2/token", {
    client,
    headers: dpop === undefined ? {} : { dpop },
    form: {
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...form,
    },
  });
};

export interface Tokens {
  access_token: string;
  refresh_token: string;
  id_token: string;
  scope: string;
  expires_in: number;
}

/** Signs a user in to a client. */
export const obtainTokens = async (
  engine: Engine,
  client: TestClient,
  how: Parameters<typeof obtainCode>[2],
): Promise<Tokens> => {
  const answer = await exchange(engine, client, await obtainCode(engine, client, how));
  if (answer.status !== 200) throw new Error(answer.body);
  return JSON.parse(answer.body) as Tokens;
};

export const refresh = (
  engine: Engine,
  client: TestClient,
  { refresh_token }: Pick<Tokens, "refresh_token">,
): Promise<ProtocolAnswer> =>
  postForm(engine, "/oauth2/token", {
    client,
    form: { grant_type: "refresh_token", refresh_token },
  });

/** Returns whether a token is active by introspection. */
export const isActive = async (
  engine: Engine,
  client: TestClient,
  token: string,
): Promise<boolean> => {
  const answer = await postForm(engine, "/oauth2/introspect", { client, form: { token } });
  return (JSON.parse(answer.body) as { active: boolean }).active;
};

export const userinfo = (engine: Engine, token: string): Promise<ProtocolAnswer> =>
  engine.run({
    method: "GET",
    path: "/oauth2/userinfo",
    headers: { authorization: `Bearer ${token}` },
  });

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { type AdapterPayload, type Configuration, errors, Provider } from "oidc-provider";
import { cookieHeader, storeCookies } from "../cookies.ts";

/** An account at the provider. */
export interface OpenIdAccount {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  picture?: string;
}

/** The provider's response to a browser. */
export interface ProviderRedirect {
  /** The address that the browser is sent to: a path with a query, or without one if the response is posted. */
  url: URL;
  /** The fields of the form that the provider's page posts, or undefined if it redirects. */
  form: URLSearchParams | undefined;
  /** The origin of the page that the browser comes from. */
  from: string;
}

/** A real, certified OpenID provider on this machine, with one client. */
export interface OpenIdProvider {
  issuer: string;
  client: { clientId: string; clientSecret: string };
  /** The user who is signed in there from now on, or undefined for a user who denies the sign-in. */
  who: OpenIdAccount | undefined;
  /** The requested paths with their methods, in order. */
  requests: string[];
  /** Sends a new browser through the provider, from the authorization URL to the address that it is sent back to. */
  visit: (authorizationUrl: string) => Promise<ProviderRedirect>;
  stop: () => Promise<void>;
}

const client = { clientId: "latchkey-under-test", clientSecret: "a secret of the test" };

/** Creates the provider's in-memory store, as its default one does but without the warning about production use. */
const createMemory = () => {
  const payloads = new Map<string, AdapterPayload>();
  const findBy = (kind: string, is: (payload: AdapterPayload) => boolean) =>
    [...payloads].find(([key, payload]) => key.startsWith(`${kind}:`) && is(payload))?.[1];
  return (kind: string) => ({
    upsert: async (id: string, payload: AdapterPayload) =>
      void payloads.set(`${kind}:${id}`, structuredClone(payload)),
    find: async (id: string) => payloads.get(`${kind}:${id}`),
    findByUserCode: async (userCode: string) =>
      findBy(kind, (payload) => payload.userCode === userCode),
    findByUid: async (uid: string) => findBy(kind, (payload) => payload.uid === uid),
    consume: async (id: string) => {
      const payload = payloads.get(`${kind}:${id}`);
      if (payload) payload["consumed"] = Math.floor(Date.now() / 1000);
    },
    destroy: async (id: string) => void payloads.delete(`${kind}:${id}`),
    revokeByGrantId: async (grantId: string) => {
      for (const [key, payload] of payloads) if (payload.grantId === grantId) payloads.delete(key);
    },
  });
};

const scope = "openid profile email offline_access";

const hourSeconds = 3_600;
const lasting = ["AccessToken", "Grant", "IdToken", "Interaction", "RefreshToken", "Session"];

const configure = async (accounts: ReadonlyMap<string, OpenIdAccount>): Promise<Configuration> => {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return {
    adapter: createMemory(),
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        grant_types: ["authorization_code", "refresh_token"],
        redirect_uris: ["http://127.0.0.1/callback"],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    ttl: Object.fromEntries(lasting.map((kind) => [kind, hourSeconds])),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => {
      const account = accounts.get(id);
      return account && { accountId: id, claims: async () => ({ ...account }) };
    },
    // Treats every user as having given consent to everything.
    loadExistingGrant: async ({ oidc: { client: asking, session, provider } }) => {
      if (!asking || !session?.accountId) return undefined;
      const holder = { clientId: asking.clientId, accountId: session.accountId };
      const grant = new provider.Grant(holder);
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
    renderError: (context, out) => {
      context.body = out;
    },
  };
};

/** Signs the chosen user in without an interaction. */
const interact = (provider: Provider, state: Pick<OpenIdProvider, "who">): void => {
  provider.use(async (context, next) => {
    if (!context.path.startsWith("/interaction/")) return next();
    const { who } = state;
    const result = who
      ? { login: { accountId: who.sub } }
      : {
          error: new errors.AccessDenied("the user said no").error,
          error_description: "no & <no>",
        };
    context.respond = false;
    return provider.interactionFinished(context.req, context.res, result);
  });
};

const unescape = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

const readForm = (from: string, page: string): ProviderRedirect => {
  const action = /<form method="post" action="([^"]*)"/.exec(page)?.[1];
  if (action === undefined) throw new Error(`the provider shows ${page}`);
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    from,
    url: new URL(unescape(action)),
    form: new URLSearchParams(fields.map(([, name = "", value = ""]) => [name, unescape(value)])),
  };
};

const visitProvider = async (issuer: string, from: string): Promise<ProviderRedirect> => {
  const cookies = new Map<string, string>();
  let url = new URL(from);
  while (url.origin === issuer) {
    const headers = { cookie: cookieHeader(cookies) };
    const response = await fetch(url, { redirect: "manual", headers });
    storeCookies(cookies, response.headers.getSetCookie());
    const page = await response.text();
    const location = response.headers.get("location");
    if (location === null) return readForm(issuer, page);
    url = new URL(location, url);
  }
  return { from: issuer, url, form: undefined };
};

export const startOpenIdProvider = async (): Promise<OpenIdProvider> => {
  const accounts = new Map<string, OpenIdAccount>();
  const listeners: { handle?: ReturnType<Provider["callback"]> } = {};
  const server = createServer((request, response) => {
    openid.requests.push(`${request.method} ${pathOf(request)}`);
    void listeners.handle?.(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: Pick<OpenIdProvider, "who"> = { who: undefined };
  const openid: OpenIdProvider = {
    issuer,
    client,
    requests: [],
    get who() {
      return state.who;
    },
    set who(who) {
      state.who = who;
      if (who) accounts.set(who.sub, who);
    },
    visit: (authorizationUrl) => visitProvider(issuer, authorizationUrl),
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  const provider = new Provider(issuer, await configure(accounts));
  // The port of the system under test is not known yet.
  Object.assign(provider.Client.prototype, {
    redirectUriAllowed: (uri: string) => new URL(uri).hostname === "127.0.0.1",
  });
  interact(provider, state);
  listeners.handle = provider.callback();
  return openid;
};

const pathOf = ({ url = "" }: IncomingMessage) => url.split("?", 1)[0];

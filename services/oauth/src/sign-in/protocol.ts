import { createHash } from "node:crypto";
import { setQuery } from "@latchkey/service-kit/http";
import { type Caller, deviceGrantType, languages } from "@latchkey/contracts";
import type { Deps, ProtocolHandler } from "../deps.ts";
import type { ProtocolAnswer, ProtocolRequest } from "../engine/protocol-request.ts";
import { readQuery } from "../engine/oauth-query.ts";
import { goOn, issuerOf, openInteraction } from "./go-on.ts";
import { signedInOf } from "./signed-in.ts";

/** The names of errors on Latchkey's page, where they differ. */
const pageErrors: Readonly<Record<string, string>> = { invalid_redirect_uri: "invalid_redirect" };

/** Sends a browser to the page of an error that must not reach a redirect URI. */
const withErrorPage = (
  { config }: Pick<Deps, "config">,
  issuer: string,
  answer: ProtocolAnswer,
): ProtocolAnswer => {
  if (!answer.page) return answer;
  const { error, error_description } = answer.page;
  const location = setQuery(config.errorURL ?? `${issuer}/error`, {
    error: pageErrors[error] ?? error,
    ...(error_description !== undefined && { error_description }),
  });
  return { status: 302, headers: { location, "cache-control": "no-store" }, body: "" };
};

const scriptOf = /<script>([^]*?)<\/script>/;
const actionOf = /<form method="post" action="([^"]*)"/;

/** Allows the page of `form_post` its one script and its one target, and nothing else. */
const withPolicy = (answer: ProtocolAnswer): ProtocolAnswer => {
  const script = scriptOf.exec(answer.body)?.[1];
  const action = actionOf.exec(answer.body)?.[1]?.replaceAll("&amp;", "&");
  if (script === undefined || action === undefined) return answer;
  const digest = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${digest}'; form-action ${new URL(action).origin}; frame-ancestors 'none'; base-uri 'none'`;
  return { ...answer, headers: { ...answer.headers, "content-security-policy": policy } };
};

/** Longer requests do not fit into the addresses of pages, which contain them. */
const searchLengthMax = 8_192;
/** The gateway reads no larger headers. */
const locationLengthMax = 12_288;

const tooLarge: ProtocolAnswer = {
  status: 400,
  headers: {},
  body: "",
  page: { error: "invalid_request", error_description: "the request is too large" },
};

/** Returns an answer for a browser. */
export const forBrowser = (
  deps: Pick<Deps, "config">,
  issuer: string,
  answer: ProtocolAnswer,
): { protocol: ProtocolAnswer } => {
  const fits = (answer.headers["location"]?.length ?? 0) <= locationLengthMax;
  const shown = withErrorPage(deps, issuer, fits ? answer : tooLarge);
  const { status, headers, body } = withPolicy(shown);
  return { protocol: { status: status === 303 ? 302 : status, headers, body } };
};

/** Begins a sign-in to a client. The signed query of a page continues the sign-in of that page. */
export const oauthAuthorize: ProtocolHandler<"oauthAuthorize"> = async (deps, call) => {
  const { caller, protocol } = call;
  const issuer = issuerOf(deps, caller);
  const engine = await deps.findEngine(issuer);
  const session = signedInOf(caller);
  const { search } = protocol;
  if (search.length > searchLengthMax) return forBrowser(deps, issuer, tooLarge);
  const isOfPage = readQuery(deps.ring, search, deps.clock()) !== undefined;
  const interaction = isOfPage ? await openInteraction(deps, search) : undefined;
  if (interaction) return forBrowser(deps, issuer, await goOn(engine, interaction, session));
  if (isOfPage) {
    const page = { error: "invalid_request", error_description: "the page was already answered" };
    return forBrowser(deps, issuer, { status: 400, headers: {}, body: "", page });
  }
  const request = { method: "GET", path: "/oauth2/authorize", search, session } as const;
  return forBrowser(deps, issuer, await engine.run(request));
};

/** Longer ones do not fit into an address. */
const formBytesMax = 8_192;

/** A form of another site carries no cookie, so the browser comes again by a GET, which does. */
export const oauthAuthorizeByForm: ProtocolHandler<"oauthAuthorizeByForm"> = async (
  deps,
  { caller, protocol: { body = Buffer.alloc(0), headers } },
) => {
  const issuer = issuerOf(deps, caller);
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
  if (!isForm || body.length > formBytesMax) {
    const page = { error: "invalid_request", error_description: "the form cannot be read" };
    return forBrowser(deps, issuer, { status: 400, headers: {}, body: "", page });
  }
  const query = new URLSearchParams(body.toString()).toString();
  const location = `${issuer}/oauth2/authorize?${query}`;
  return {
    protocol: { status: 303, headers: { location, "cache-control": "no-store" }, body: "" },
  };
};

type Endpoint = Pick<ProtocolRequest, "method" | "path">;

interface ClientCall {
  caller: Caller;
  protocol: { search: string; headers: Readonly<Record<string, string>>; body: Buffer | undefined };
}

/** Answers a request of a client by the engine. */
const answerClient =
  (endpoint: Endpoint) =>
  async (deps: Deps, { caller, protocol }: ClientCall): Promise<{ protocol: ProtocolAnswer }> => {
    const engine = await deps.findEngine(issuerOf(deps, caller));
    const { search, headers, body } = protocol;
    const {
      status,
      headers: sent,
      body: text,
    } = await engine.run({ ...endpoint, search, headers, body });
    return { protocol: { status, headers: withoutCors(sent), body: text } };
  };

/** The gateway says which pages may read an answer. */
export const withoutCors = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) =>
        !name.startsWith("access-control-") && name !== "vary" && name !== "content-length",
    ),
  );

export const oauthPar = answerClient({ method: "POST", path: "/oauth2/par" });
export const oauthToken = answerClient({ method: "POST", path: "/oauth2/token" });
export const oauthIntrospect = answerClient({ method: "POST", path: "/oauth2/introspect" });
export const oauthRevoke = answerClient({ method: "POST", path: "/oauth2/revoke" });
export const oauthUserinfo = answerClient({ method: "GET", path: "/oauth2/userinfo" });
export const oauthUserinfoByForm = answerClient({ method: "POST", path: "/oauth2/userinfo" });

/** Metadata and keys change only with the configuration. */
const publicCache = { "cache-control": "public, max-age=15, stale-while-revalidate=15" };

const answerPublic =
  (path: string, extend: (document: Record<string, unknown>, deps: Deps) => object) =>
  async (deps: Deps, { caller }: ClientCall): Promise<{ protocol: ProtocolAnswer }> => {
    const engine = await deps.findEngine(issuerOf(deps, caller));
    const answer = await engine.run({ method: "GET", path });
    const document = JSON.parse(answer.body) as Record<string, unknown>; // written by the provider
    const headers = { "content-type": "application/json; charset=utf-8", ...publicCache };
    return {
      protocol: { status: answer.status, headers, body: JSON.stringify(extend(document, deps)) },
    };
  };

/** Leaves out what devices use while they cannot sign in. */
const withoutDevices = (
  { device_authorization_endpoint, grant_types_supported, ...document }: Record<string, unknown>,
  { config }: Pick<Deps, "config">,
): object =>
  config.deviceAuthorization.enabled
    ? { ...document, device_authorization_endpoint, grant_types_supported }
    : {
        ...document,
        grant_types_supported: (grant_types_supported as string[]).filter(
          (name) => name !== deviceGrantType,
        ),
      };

export const oauthJwks = answerPublic("/oauth2/jwks", (document) => document);
export const oauthMetadata = answerPublic(
  "/.well-known/openid-configuration",
  (document, deps) => ({
    ...withoutDevices(document, deps),
    end_session_endpoint: `${String(document["issuer"])}/oauth2/end-session`,
    ui_locales_supported: languages,
    ...(deps.config.oauthProvider.allowDynamicClientRegistration && {
      registration_endpoint: `${String(document["issuer"])}/oauth2/register`,
    }),
    prompt_values_supported: ["none", "login", "consent", "select_account", "create"],
    response_modes_supported: ["query", "form_post"],
  }),
);

import { inject } from "light-my-request";
import type { Provider } from "oidc-provider";
import { storedName } from "./resources.ts";
import {
  type DeviceFacts,
  sessionCookie,
  type SignedIn,
  silentConsent,
  type Work,
} from "./work.ts";

/** A request of a client or browser, as it was sent. */
export interface ProtocolRequest {
  method: "GET" | "POST";
  /** Below the base path, such as `/oauth2/token`. */
  path: string;
  /** With its `?`, or empty. */
  search?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer | string | undefined;
  session?: SignedIn | undefined;
  /** The device that asks for a code. */
  device?: DeviceFacts;
}

export interface ProtocolAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The error of an authorization request that must not be sent to a redirect URI. */
  page?: Work["page"];
}

const form = "application/x-www-form-urlencoded";
const isForm = ({ headers }: ProtocolRequest): boolean =>
  headers?.["content-type"]?.toLowerCase().startsWith(form) ?? false;

export const problem = (status: number, error: string, description: string): ProtocolAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
  body: JSON.stringify({ error, error_description: description }),
});

/** The parameters that may be repeated (RFC 8707 section 2). */
const repeatable = new Set(["resource"]);

/** Pages get a pushed request in their address. */
const pushedBytesMax = 8_192;
/** The provider reads no longer form. */
const formBytesMax = 57_344;

/** One pass, because strangers choose how many names there are. */
const isRepeated = (params: URLSearchParams): boolean => {
  const seen = new Set<string>();
  for (const name of params.keys()) {
    if (seen.has(name) && !repeatable.has(name)) return true;
    seen.add(name);
  }
  return false;
};

/** Lets `offline_access` do without `prompt=consent` where the user has consented before. */
const readPrompts = (params: URLSearchParams): URLSearchParams => {
  const prompts = params.get("prompt")?.split(" ") ?? [];
  if (prompts.includes(silentConsent)) params.set("prompt", "unknown");
  else if (
    params.get("scope")?.split(" ").includes("offline_access") &&
    !prompts.some((prompt) => prompt === "none" || prompt === "consent")
  )
    params.set("prompt", [...prompts, "consent", silentConsent].filter(Boolean).join(" "));
  return params;
};

/** Returns a request as the provider expects it, or the answer to one that it would accept but must not. */
export const prepare = (request: ProtocolRequest): ProtocolRequest | ProtocolAnswer => {
  const { method, path, search = "", body } = request;
  const isAuthorization = path === "/oauth2/authorize";
  if (method === "GET") {
    const params = new URLSearchParams(search);
    const isSilent = params.getAll("prompt").some((prompt) => prompt.includes(silentConsent));
    if (!isAuthorization || (isRepeated(params) && !isSilent)) return request;
    return { ...request, search: `?${readPrompts(params).toString()}` };
  }
  if (body !== undefined && body.length > 0 && !isForm(request))
    return problem(415, "invalid_request", `the body must be ${form}`);
  const bytesMax = path === "/oauth2/par" ? pushedBytesMax : formBytesMax;
  if (body !== undefined && body.length > bytesMax)
    return problem(413, "invalid_request", "the request is too large");
  const params = new URLSearchParams(body?.toString() ?? "");
  if (isRepeated(params)) return problem(400, "invalid_request", "a parameter is repeated");
  const token = params.get("token");
  if (token !== null) params.set("token", storedName(token));
  if (path !== "/oauth2/par")
    return { ...request, ...(token !== null && { body: params.toString() }) };
  return { ...request, body: readPrompts(params).toString() };
};

export const send = async (
  provider: Provider,
  { method, path, search = "", headers, body, session }: ProtocolRequest,
  interactionId?: string,
): Promise<ProtocolAnswer> => {
  const { host, pathname, protocol } = new URL(provider.issuer);
  const base = pathname === "/" ? "" : pathname;
  const respond = provider.callback();
  const cookies = [
    ...(session ? [`session=${sessionCookie}`] : []),
    ...(interactionId === undefined ? [] : [`resume=${interactionId}`]),
  ];
  const answer = await inject(
    (request, response) => {
      // The provider derives from it where it is mounted.
      (request as { originalUrl?: string }).originalUrl = base + (request.url ?? "");
      void respond(request, response);
    },
    {
      method,
      url: path + search,
      headers: {
        ...headers,
        host,
        "x-forwarded-proto": protocol.slice(0, -1),
        ...(cookies.length > 0 && { cookie: cookies.join("; ") }),
      },
      ...(body !== undefined && { payload: body }),
    },
  );
  const received = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined || name === "set-cookie" || (name === "content-type" && !answer.payload)
      ? []
      : [[name, String(value)] as const],
  );
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(received),
    body: answer.payload,
  };
};

/** Only codes are issued, so every answer belongs into the query, also the refusal of another response type. */
const inQuery = (location: string): string => {
  const [place = "", fragment = ""] = location.split("#", 2);
  return `${place}${place.includes("?") ? "&" : "?"}${fragment}`;
};

/** Adapts the answers of clients to what Latchkey promises. */
export const refine = (
  request: ProtocolRequest,
  answer: ProtocolAnswer,
  now: number,
): ProtocolAnswer => {
  const { status, body } = answer;
  const location = answer.headers["location"];
  if (location?.includes("#"))
    return { ...answer, headers: { ...answer.headers, location: inQuery(location) } };
  // RFC 6749 section 5.2 asks for 401 where the client used the Authorization header.
  if (
    status === 401 &&
    request.method === "POST" &&
    request.headers?.["authorization"] === undefined
  )
    return request.path === "/oauth2/userinfo" ? answer : { ...answer, status: 400 };
  if (status !== 200 || request.path !== "/oauth2/token") return answer;
  const tokens = JSON.parse(body) as { expires_in: number };
  const expires_at = Math.floor(now / 1_000) + tokens.expires_in;
  return { ...answer, body: JSON.stringify({ ...tokens, expires_at }) };
};

import {
  type Authentication,
  type Caller,
  deviceGrantType,
  isPlainText,
  operations,
} from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import type { ProtocolInput } from "@latchkey/service-kit/http";
import type { Deps, ProtocolHandler } from "../deps.ts";
import {
  insertDeviceRequest,
  pollDeviceRequest,
  restoreDeviceRequest,
  useDeviceRequest,
} from "../device-requests/queries.ts";
import { problem, type ProtocolAnswer } from "../engine/protocol-request.ts";
import type { DeviceFacts } from "../engine/work.ts";
import { issuerOf } from "../sign-in/go-on.ts";
import { withoutCors } from "../sign-in/protocol.ts";
import { deviceOf, factsOf, newUserCode } from "./device-facts.ts";

const formType = "application/x-www-form-urlencoded";
const bodyBytesMax = 16_384;
const nameLengthMax = 64;
const scopeLengthMax = 4_096;
const deviceCodeLength = 40;

const textsOf = (body: string, type: string): [string, unknown][] | undefined => {
  if (type.startsWith(formType)) return [...new URLSearchParams(body)];
  if (!type.startsWith("application/json")) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
};

/** Reads a form, or JSON with the same members, as clients of better-auth send it. Undefined for anything else, and for a repeated member. */
const readForm = ({ headers, body }: ProtocolInput): URLSearchParams | undefined => {
  if (!body || body.length > bodyBytesMax) return undefined;
  const texts = textsOf(body.toString(), headers["content-type"]?.toLowerCase() ?? "");
  const form = new URLSearchParams();
  for (const [name, value] of texts?.flatMap(([key, one]) =>
    (Array.isArray(one) ? one : [one]).map((item: unknown) => [key, item] as const),
  ) ?? []) {
    if (value === undefined || value === null) continue;
    if (typeof value !== "string" || !isPlainText(name + value)) return undefined;
    if (form.has(name) && name !== "resource") return undefined;
    form.append(name, value);
  }
  return texts && form;
};

const unreadable = problem(400, "invalid_request", "the body must be a form or JSON");

const reply = (status: number, body: object): ProtocolAnswer => ({
  ...problem(status, "", ""),
  body: JSON.stringify(body),
});

/** Returns the members of a reply apart from the code of the device itself. */
const invitation = ({ config }: Deps, caller: Caller, userCode: string) => {
  const { interval, expiresIn, verificationUri } = config.deviceAuthorization;
  const account = new URL(issuerOf({ config }, caller)).origin + config.accountPath;
  const page = new URL(verificationUri ?? `${account.replace(/\/$/, "")}/device`);
  const complete = new URL(page);
  complete.searchParams.set("user_code", userCode);
  return {
    user_code: userCode,
    verification_uri: page.href,
    verification_uri_complete: complete.href,
    expires_in: expiresIn,
    interval,
  };
};

interface CodeRequest {
  caller: Caller;
  form: URLSearchParams;
  userCode: string;
  facts: DeviceFacts;
}

/** Begins the sign-in of a device of the installation's own applications. */
const requestSession = async (
  deps: Deps,
  clientId: string,
  { caller, form, userCode, facts }: CodeRequest,
): Promise<ProtocolAnswer> => {
  const { db, clock, config } = deps;
  const scope = form.get("scope") ?? "";
  if (scope.length > scopeLengthMax) return problem(400, "invalid_scope", "the scope is too long");
  const device_code = randomToken(deviceCodeLength, "alphanumeric");
  const now = clock();
  const isStored = await db.transaction().execute((trx) =>
    insertDeviceRequest(trx, {
      ...facts,
      hash: hashToken(device_code),
      clientId,
      payload: null,
      scope,
      state: "pending",
      userId: null,
      accessEpoch: null,
      authentication: null,
      grantId: null,
      polledAt: null,
      createdAt: new Date(now),
      expiresAt: new Date(now + config.deviceAuthorization.expiresIn * 1_000),
    }),
  );
  if (!isStored) return problem(429, "slow_down", "too many devices wait for their users");
  return reply(200, { device_code, ...invitation(deps, caller, userCode) });
};

/** Begins the sign-in of a device that is an OAuth client. */
const requestTokens = async (
  deps: Deps,
  headers: ProtocolInput["headers"],
  { caller, form, userCode, facts }: CodeRequest,
): Promise<ProtocolAnswer> => {
  const engine = await deps.findEngine(issuerOf(deps, caller));
  const answer = await engine.run({
    method: "POST",
    path: "/device/code",
    headers: { ...headers, "content-type": formType },
    body: form.toString(),
    device: facts,
  });
  const shown = { ...answer, headers: withoutCors(answer.headers) };
  if (answer.status !== 200) return shown;
  const { device_code } = JSON.parse(answer.body) as { device_code: string }; // written by the provider
  return { ...shown, ...reply(200, { device_code, ...invitation(deps, caller, userCode) }) };
};

/** Gives a device its codes. Clients of `deviceAuthorization.clients` get a session later, OAuth clients tokens. */
export const deviceCode: ProtocolHandler<"deviceCode"> = async (deps, { caller, protocol }) => {
  const form = readForm(protocol);
  if (!form) return { protocol: unreadable };
  const name = form.get("device_name") ?? undefined;
  if (name !== undefined && name.length > nameLengthMax)
    return { protocol: problem(400, "invalid_request", "device_name is too long") };
  const userCode = newUserCode();
  const codeRequest = { caller, form, userCode, facts: factsOf(deps, caller, { userCode, name }) };
  const { deviceAuthorization, oauthProvider } = deps.config;
  const isClient = protocol.headers["authorization"] !== undefined;
  const own = deviceAuthorization.clients.find(({ id }) => id === form.get("client_id"));
  const answer =
    own && !isClient
      ? await requestSession(deps, own.id, codeRequest)
      : oauthProvider.enabled
        ? await requestTokens(deps, protocol.headers, codeRequest)
        : problem(400, "invalid_client", "the client is unknown");
  if (answer.status === 200) deps.observeDevice("requested");
  return { protocol: answer };
};

const { startDeviceSession } = operations.identity;

/** Starts the session of an approved request, which only one of concurrent polls gets. A request whose session cannot start now stays. */
const startSession = async (deps: Deps, caller: Caller, hash: Buffer): Promise<ProtocolAnswer> => {
  const row = await useDeviceRequest(deps.db, hash, new Date(deps.clock()));
  if (!row?.userId) return problem(400, "invalid_grant", "the device code is invalid");
  const { userId, accessEpoch, authentication, scope } = row;
  const body = {
    userId,
    accessEpoch: accessEpoch ?? 0,
    authentication: JSON.parse(authentication ?? "") as Authentication, // written at the approval
    address: caller.address,
    userAgent: deviceOf(deps, row).name ?? caller.userAgent,
  };
  const started = await deps.identity.call(startDeviceSession, { body }).catch(async (error) => {
    await restoreDeviceRequest(deps.db, row);
    throw error;
  });
  if (!started) return problem(400, "access_denied", "the user may not sign in");
  deps.observeDevice("signed-in");
  const lifetimeMilliseconds = new Date(started.expiresAt).getTime() - deps.clock();
  return reply(200, {
    access_token: started.token,
    token_type: "Bearer",
    expires_in: Math.max(0, Math.floor(lifetimeMilliseconds / 1_000)),
    scope,
  });
};

/** Answers a poll by the rules of RFC 8628 section 3.5. */
const answerPoll = async (
  deps: Deps,
  caller: Caller,
  { code, clientId }: { code: string; clientId: string },
): Promise<ProtocolAnswer> => {
  const now = new Date(deps.clock());
  const hash = hashToken(code);
  const isOwn = deps.config.deviceAuthorization.clients.some(({ id }) => id === clientId);
  const clientIds = isOwn ? [clientId] : [];
  const row = await pollDeviceRequest(deps.db, { hash, clientIds, getsSession: true, now });
  if (!row) return problem(400, "invalid_grant", "the device code is invalid");
  if (row.isTooSoon) {
    deps.observeDevice("too-soon");
    return problem(400, "slow_down", "polled too soon");
  }
  if (row.expiresAt <= now) return problem(400, "expired_token", "the device code has expired");
  if (row.state === "pending")
    return problem(400, "authorization_pending", "the user has not decided yet");
  if (row.state === "denied") return problem(400, "access_denied", "the user denied the request");
  return startSession(deps, caller, hash);
};

export const deviceToken: ProtocolHandler<"deviceToken"> = async (deps, { caller, protocol }) => {
  const form = readForm(protocol);
  if (!form) return { protocol: unreadable };
  const [code, clientId] = [form.get("device_code"), form.get("client_id")];
  if (form.get("grant_type") !== deviceGrantType || !code || !clientId)
    return { protocol: problem(400, "invalid_request", "a parameter is missing or wrong") };
  return { protocol: await answerPoll(deps, caller, { code, clientId }) };
};

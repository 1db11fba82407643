import {
  type AdditionalFields,
  type Caller,
  callerHeader,
  type HookContext,
  mailedLinkHeader,
  type MailedLinkQuestion,
  type Operation,
  type OperationReply,
  type Options,
  type SessionEffect,
  sessionEffectHeader,
  WireError,
} from "@latchkey/contracts";
import type { SecretRing } from "@latchkey/crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../observe/metrics.ts";
import { traceRequests } from "../observe/trace-requests.ts";
import type { Tracing } from "../observe/tracing.ts";
import { verifyCaller } from "./caller-signature.ts";
import { mountedPath } from "./mounted-path.ts";
import { readBody } from "./read-body.ts";
import { type Call, hookContext, readCall } from "./read-call.ts";
import { createReplySerializer } from "./reply-serializer.ts";
import type { ResolvedSession, SessionRules } from "./require-session.ts";
import { sendJson } from "./send-json.ts";

interface Besides {
  effect?: SessionEffect | undefined;
  headers?: Record<string, string> | undefined;
}

/** A handler's result: the reply, or a redirect of the browser. */
export type Answer<Reply> =
  | ({ reply: Reply } & Besides)
  /** A posted form needs 303, so that the browser follows with a GET. */
  | ({ redirect: string; status?: 302 | 303 } & Besides);

/** The result of a mailed link that needs a confirmation before it acts. The gateway renders a page for it. */
export type LinkAnswer<Reply> = Answer<Reply> | ({ question: MailedLinkQuestion } & Besides);

/** Handlers for all operations. A missing or surplus one does not compile. */
export type Handlers<Owned extends Record<string, Operation>> = {
  [Name in keyof Owned]: (
    call: Call<Owned[Name]>,
  ) => Promise<LinkAnswer<OperationReply<Owned[Name]>>>;
};

/** Checks on an operation's raw body that run before all others. */
export type FirstChecks<Owned extends Record<string, Operation>> = {
  [Name in keyof Owned]?: (
    caller: Caller,
    sent: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
};

type AnyHandler = (call: Call<Operation>) => Promise<LinkAnswer<unknown>>;

export interface MountOptions extends SessionRules {
  ring: SecretRing;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  /** Returns the name of an internal caller from its Authorization header. */
  readServiceToken: (authorization: string | undefined) => string | undefined;
  hooks: Options["hooks"];
  /** Returns headers that report a call's effects to the gateway. */
  headersFor?: (caller: Caller) => Record<string, string> | undefined;
  /** The configured additional fields, which replies include. */
  additionalFields?: AdditionalFields;
}

const asHeader = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

const sendEffect = (reply: FastifyReply, effect: SessionEffect | undefined): void => {
  if (effect) reply.header(sessionEffectHeader, asHeader(effect));
};

/** Forwards the cookies of a refusal to the gateway and throws the refusal. */
const refuseWithEffect =
  (reply: FastifyReply) =>
  (error: unknown): never => {
    if (error instanceof WireError) sendEffect(reply, error.effect);
    throw error;
  };

const sendAnswer = (
  reply: FastifyReply,
  answer: LinkAnswer<unknown>,
  stringify: (value: unknown) => string,
): void => {
  if ("reply" in answer) sendJson(reply, stringify(answer.reply));
  else if ("redirect" in answer)
    reply
      .header("content-type", "application/json")
      .redirect(answer.redirect, answer.status ?? 302);
  else reply.header(mailedLinkHeader, asHeader(answer.question)).send();
};

const sendHeaders = (reply: FastifyReply, headers: Record<string, string> | undefined): void => {
  if (headers) reply.headers(headers);
};

const runAfterHook = async (
  hooks: Options["hooks"],
  context: HookContext & { returned: unknown },
  reply: FastifyReply,
): Promise<void> => {
  const added = await hooks.after?.(context);
  if (added?.headers) reply.headers(added.headers);
};

/** Returns the parsed body. If an operation takes no body, an unreadable one counts as absent. */
const bodyOf = async (declared: Operation, request: FastifyRequest): Promise<unknown> => {
  try {
    const body = request.body as Buffer | undefined;
    return await readBody(request.headers["content-type"], body, declared);
  } catch (error) {
    if (declared.body) throw error;
    return undefined;
  }
};

/**
 * Authenticates the caller: signed by the gateway, or for an internal operation a service of the installation or one with a
 * service token.
 */
const authenticate = (
  declared: Operation,
  request: FastifyRequest,
  options: MountOptions,
): Caller | undefined => {
  const signed = request.headers[callerHeader];
  const vouched =
    typeof signed === "string"
      ? verifyCaller(options.ring, signed, { operation: declared.name, now: options.clock() })
      : undefined;
  if (declared.exposure === "public" || vouched?.service !== undefined) return vouched;
  const service = options.readServiceToken(request.headers.authorization);
  const { name: operation } = declared;
  const userAgent = request.headers["user-agent"] ?? "";
  return service === undefined
    ? undefined
    : { requestId: request.id, operation, baseUrl: "", address: request.ip, userAgent, service };
};

interface Route {
  declared: Operation;
  handler: AnyHandler;
  first: FirstChecks<Record<string, Operation>>[string];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Creates the Fastify handler of an operation. Order: caller's signature or service token (403), application hook, first check,
 * body and query schema (400), session, freshness and permission (401, 403), feature. The reply passes a compiled serializer,
 * so no undeclared member is sent.
 */
const createRoute = (route: Route, options: MountOptions) => {
  const { declared, handler, first } = route;
  const stringify = createReplySerializer(declared, options.additionalFields);
  const { hooks } = options;
  const readsBody = declared.body || first || hooks.before || hooks.after;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = authenticate(declared, request, options);
    if (!caller) throw new WireError("FORBIDDEN");
    const body = readsBody ? await bodyOf(declared, request) : undefined;
    const sent = { params: request.params, query: request.query as Record<string, unknown>, body };
    const context = () => hookContext(declared, caller, sent);
    if (hooks.before) await hooks.before(context());
    if (first && isRecord(body)) await first(caller, body);
    const call = await readCall(declared, { caller, sent }, options);
    const answer = await handler(call).catch(refuseWithEffect(reply));
    const session = call.session as ResolvedSession | undefined;
    sendEffect(reply, answer.effect ?? session?.effect);
    sendHeaders(reply, answer.headers);
    sendHeaders(reply, options.headersFor?.(caller));
    const returned = "reply" in answer ? answer.reply : undefined;
    if (hooks.after) await runAfterHook(hooks, { ...context(), returned }, reply);
    sendAnswer(reply, answer, stringify);
    return undefined; // the reply is already sent; Fastify would wait for a returned reply
  };
};

const routeOf = (declared: Operation): string =>
  mountedPath(declared).replaceAll(/\{(\w+)\}/g, ":$1");

interface Mounted<Owned extends Record<string, Operation>> {
  owned: Owned;
  handlers: Handlers<Owned>;
  firstChecks?: FirstChecks<Owned>;
}

/** Mounts a service's operations: public ones at their wire paths, internal ones below `/internal`. */
export const mountOperations = <Owned extends Record<string, Operation>>(
  app: FastifyInstance,
  { owned, handlers, firstChecks, ...options }: Mounted<Owned> & MountOptions,
): void => {
  for (const [name, declared] of Object.entries(owned)) {
    const first = firstChecks?.[name as keyof Owned];
    const timer = (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      options.metrics.observeRequest(declared.name, reply.statusCode, reply.elapsedTime / 1000);
      done();
    };
    const route = mountedPath(declared);
    const traced =
      options.tracing &&
      traceRequests(options.tracing, () => ({ route, operation: declared.name }));
    app.route({
      method: declared.method,
      url: routeOf(declared),
      ...traced,
      onResponse: traced ? [timer, traced.onResponse] : timer,
      handler: createRoute({ declared, handler: handlers[name as keyof Owned], first }, options),
    });
  }
};

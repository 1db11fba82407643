import {
  type AdditionalFields,
  type Caller,
  callerHeader,
  type HookContext,
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

/** A handler's answer: the reply, or a place to send the browser to. */
export type Answer<Reply> = ({ reply: Reply } & Besides) | ({ redirect: string } & Besides);

/** A handler for every operation; a missing or surplus one does not compile. */
export type Handlers<Owned extends Record<string, Operation>> = {
  [Name in keyof Owned]: (call: Call<Owned[Name]>) => Promise<Answer<OperationReply<Owned[Name]>>>;
};

/** What is checked of an operation's body, as it was sent, before anything else. */
export type FirstChecks<Owned extends Record<string, Operation>> = {
  [Name in keyof Owned]?: (
    caller: Caller,
    sent: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
};

type AnyHandler = (call: Call<Operation>) => Promise<Answer<unknown>>;

export interface MountOptions extends SessionRules {
  ring: SecretRing;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  /** The name of an internal caller, by its Authorization header. */
  readServiceToken: (authorization: string | undefined) => string | undefined;
  hooks: Options["hooks"];
  /** Headers that tell the gateway what a call did. */
  headersFor?: (caller: Caller) => Record<string, string> | undefined;
  /** The configured additional fields, which replies show. */
  additionalFields?: AdditionalFields;
}

const sendEffect = (reply: FastifyReply, effect: SessionEffect | undefined): void => {
  if (effect)
    reply.header(sessionEffectHeader, Buffer.from(JSON.stringify(effect)).toString("base64url"));
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

/** The body as a value. Where an operation takes none, one that cannot be read is none, not an error. */
const bodyOf = async (declared: Operation, request: FastifyRequest): Promise<unknown> => {
  try {
    const body = request.body as Buffer | undefined;
    return await readBody(request.headers["content-type"], body, declared);
  } catch (error) {
    if (declared.body) throw error;
    return undefined;
  }
};

/** Who calls: vouched for by the gateway; of an internal operation a service of the house, or one with a service token. */
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
 * One operation as a Fastify handler. Order: caller's signature or service token (403), application hook, first check,
 * body and query schema (400), session, freshness and permission (401, 403), feature. The reply passes a compiled
 * serializer, so no undeclared member leaves.
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
    const answer = await handler(call);
    const session = call.session as ResolvedSession | undefined;
    sendEffect(reply, answer.effect ?? session?.effect);
    sendHeaders(reply, answer.headers);
    sendHeaders(reply, options.headersFor?.(caller));
    const returned = "redirect" in answer ? undefined : answer.reply;
    if (hooks.after) await runAfterHook(hooks, { ...context(), returned }, reply);
    if ("redirect" in answer)
      return reply.header("content-type", "application/json").redirect(answer.redirect, 302);
    sendJson(reply, stringify(answer.reply));
    return undefined; // what was sent; Fastify would wait for a reply that it is given
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

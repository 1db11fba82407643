import {
  type Caller,
  callerHeader,
  type HookContext,
  jsonSchema,
  type Operation,
  type OperationInput,
  type OperationReply,
  type Options,
  type Session,
  type SessionEffect,
  sessionEffectHeader,
  type User,
  WireError,
} from "@latchkey/contracts";
import type { SecretRing } from "@latchkey/crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fastJsonStringify from "fast-json-stringify";
import type { z } from "zod";
import type { Metrics } from "../observe/metrics.ts";
import { verifyCaller } from "./caller-signature.ts";
import { readBody } from "./read-body.ts";
import { sendJson } from "./send-json.ts";

/** A session with its user, and what finding it did to the browser's session. */
export interface ResolvedSession {
  session: Session;
  user: User;
  effect?: SessionEffect;
}

/** One call of an operation. `session` is there whenever the operation asks for one. */
export interface Call<O extends Operation> extends OperationInput<O> {
  caller: Caller;
  session: O["access"] extends "anyone" ? undefined : ResolvedSession;
}

/** A handler's answer: the reply, or a place to send the browser to. */
export type Answer<Reply> =
  | { reply: Reply; effect?: SessionEffect | undefined }
  | { redirect: string; effect?: SessionEffect | undefined };

/** A handler for every operation; a missing or surplus one does not compile. */
export type Handlers<Owned extends Record<string, Operation>> = {
  [Name in keyof Owned]: (call: Call<Owned[Name]>) => Promise<Answer<OperationReply<Owned[Name]>>>;
};

type AnyHandler = (call: Call<Operation>) => Promise<Answer<unknown>>;

export interface MountOptions {
  ring: SecretRing;
  clock: () => number;
  metrics: Metrics;
  /** The name of an internal caller, by its Authorization header. */
  readServiceToken: (authorization: string | undefined) => string | undefined;
  hooks: Options["hooks"];
  freshAgeSeconds: number;
  /** Finds the caller's session; undefined when there is none. */
  resolveSession: (
    caller: Caller,
    options: { disableRefresh: boolean },
  ) => Promise<ResolvedSession | undefined>;
}

const parseInput = (schema: z.ZodObject, value: unknown, part: "body" | "query"): unknown => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WireError("VALIDATION_ERROR", {
    message: `Invalid ${part} parameters`,
    issues: parsed.error.issues.map((issue) => ({
      path: issue.path.join("."),
      message: issue.message,
    })),
  });
};

const requireSession = async (
  declared: Operation,
  options: MountOptions,
  { caller, query }: { caller: Caller; query: Record<string, unknown> },
): Promise<ResolvedSession | undefined> => {
  if (declared.access === "anyone") return undefined;
  const found = await options.resolveSession(caller, {
    disableRefresh: query["disableRefresh"] === "true",
  });
  if (!found) throw new WireError("UNAUTHORIZED");
  const age = options.clock() - found.session.updatedAt.getTime();
  const isStale = options.freshAgeSeconds > 0 && age >= options.freshAgeSeconds * 1000;
  if (declared.access === "fresh session" && isStale) throw new WireError("SESSION_IS_NOT_FRESH");
  return found;
};

const sendEffect = (reply: FastifyReply, effect: SessionEffect | undefined): void => {
  if (effect)
    reply.header(sessionEffectHeader, Buffer.from(JSON.stringify(effect)).toString("base64url"));
};

const runAfterHook = async (
  hooks: Options["hooks"],
  context: HookContext & { returned: unknown },
  reply: FastifyReply,
): Promise<void> => {
  const added = await hooks.after?.(context);
  if (added?.headers) reply.headers(added.headers);
};

const hookContext = (
  declared: Operation,
  request: FastifyRequest,
  { body, caller }: { body: unknown; caller: Caller },
): HookContext => ({
  path: declared.path,
  method: declared.method,
  query: request.query as Record<string, unknown>,
  body,
  address: caller.address,
  userAgent: caller.userAgent,
});

/** The body as a value. Where an operation takes none, one that cannot be read is none, not an error. */
const bodyOf = async (declared: Operation, request: FastifyRequest): Promise<unknown> => {
  try {
    return await readBody(request.headers["content-type"], request.body as Buffer | undefined);
  } catch (error) {
    if (declared.body) throw error;
    return undefined;
  }
};

/** Who calls: vouched for by the gateway, or, of an internal operation, known by a service token. */
const authenticate = (
  declared: Operation,
  request: FastifyRequest,
  options: MountOptions,
): Caller | undefined => {
  if (declared.exposure === "internal") {
    const service = options.readServiceToken(request.headers.authorization);
    const { name: operation } = declared;
    const userAgent = request.headers["user-agent"] ?? "";
    return service === undefined
      ? undefined
      : { requestId: request.id, operation, baseUrl: "", address: request.ip, userAgent, service };
  }
  const signed = request.headers[callerHeader];
  return typeof signed === "string"
    ? verifyCaller(options.ring, signed, { operation: declared.name, now: options.clock() })
    : undefined;
};

/**
 * One operation as a Fastify handler. Order: caller's signature or service token (403), application hook, body and query
 * schema (400), session and freshness (401, 403), feature. The reply passes a compiled serializer, so no undeclared member leaves.
 */
const createRoute = (declared: Operation, handler: AnyHandler, options: MountOptions) => {
  const stringify = fastJsonStringify(jsonSchema(declared.reply, "output") as never);
  const { hooks } = options;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = authenticate(declared, request, options);
    if (!caller) throw new WireError("FORBIDDEN");
    const query = request.query as Record<string, unknown>;
    const sent =
      declared.body || hooks.before || hooks.after ? await bodyOf(declared, request) : undefined;
    const context = () => hookContext(declared, request, { body: sent, caller });
    await hooks.before?.(context());
    const body = declared.body && parseInput(declared.body, sent, "body");
    const parsedQuery = declared.query && parseInput(declared.query, query, "query");
    const session = await requireSession(declared, options, { caller, query });
    const answer = await handler({ caller, query: parsedQuery, body, session } as Call<Operation>);
    sendEffect(reply, answer.effect ?? session?.effect);
    const returned = "redirect" in answer ? undefined : answer.reply;
    if (hooks.after) await runAfterHook(hooks, { ...context(), returned }, reply);
    reply.header("content-type", "application/json");
    if ("redirect" in answer) return reply.redirect(answer.redirect, 302);
    return sendJson(reply, stringify(answer.reply));
  };
};

/** Mounts a service's operations: public ones at their wire paths, internal ones below `/internal`. */
export const mountOperations = <Owned extends Record<string, Operation>>(
  app: FastifyInstance,
  { owned, handlers, ...options }: { owned: Owned; handlers: Handlers<Owned> } & MountOptions,
): void => {
  for (const [name, declared] of Object.entries(owned)) {
    const timer = (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      options.metrics.requestSeconds
        .labels(declared.name, String(reply.statusCode))
        .observe(reply.elapsedTime / 1000);
      done();
    };
    app.route({
      method: declared.method,
      url: declared.exposure === "internal" ? `/internal${declared.path}` : declared.path,
      onResponse: timer,
      handler: createRoute(
        declared,
        handlers[name as keyof Owned] as unknown as AnyHandler,
        options,
      ),
    });
  }
};

import { type Caller, type Operation, operations } from "@latchkey/contracts";
import {
  type Call,
  createReplySerializer,
  findHookSession,
  hookContext,
  readBody,
  readCall,
  sendJson,
  type UnsignedCaller,
  vouchedSession,
} from "@latchkey/service-kit/http";
import type { FastifyReply } from "fastify";
import type { Deps } from "../deps.ts";
import type { Forwarded } from "../forward/forward.ts";
import { pageHeaders } from "../http/page-headers.ts";
import type { Inbound } from "../http/read-inbound.ts";
import { createInstallationHandlers } from "../installation/installation-handlers.ts";
import type { Trust } from "../origins/trust.ts";
import { lookFor } from "../pages/looks.ts";
import { errorPage } from "../pages/error-page.ts";
import { webPath } from "../web/web-path.ts";
import { accountWeb } from "../web/webs.ts";
import type { Admitted } from "./admit.ts";

const firstOf = (value: unknown): string => String((Array.isArray(value) ? value[0] : value) ?? "");

/** Returns the path of the account web. Undefined if it is not served. */
const accountPath = (config: Deps["config"]): string | undefined => {
  const account = webPath(accountWeb, config);
  return account && "path" in account ? account.path : undefined;
};

/** Returns the way on from an error: the application, or else the sign-in page of the account web. */
const homeOf = (config: Deps["config"]): string | undefined => {
  const path = accountPath(config);
  return config.appURLs[0] ?? (path === undefined ? undefined : `${path}/sign-in`);
};

/**
 * Shows the code of an error on a page. Without an application, the account web explains it, as it takes the place of all pages of links
 * without one. Programs get the plain page.
 */
const answerError = (
  config: Deps["config"],
  { request }: Inbound,
  reply: FastifyReply,
): FastifyReply => {
  const { error } = request.query as { error?: unknown };
  const code = firstOf(error);
  const path = config.appURLs.length === 0 ? accountPath(config) : undefined;
  const isRead = request.headers.accept?.includes("text/html") === true;
  if (isRead && path !== undefined)
    return reply.redirect(`${path}/error?${new URLSearchParams({ error: code }).toString()}`, 302);
  const { page } = lookFor(config.looks, request);
  return reply
    .type("text/html; charset=utf-8")
    .headers(pageHeaders(page.policy("'none'")))
    .send(errorPage(page, code, homeOf(config)));
};

/** Answers one of the own operations of the gateway that need no session. */
export const answerAnyone = (
  { config, document }: Pick<Deps, "config" | "document">,
  { operation, inbound }: { operation: Operation; inbound: Inbound },
  reply: FastifyReply,
): FastifyReply => {
  const { ok, generateOpenApiSchema } = operations.gateway;
  if (operation.name === ok.name) return sendJson(reply, '{"ok":true}');
  if (operation.name === generateOpenApiSchema.name)
    return sendJson(reply, document(inbound.baseUrl.url));
  return answerError(config, inbound, reply);
};

/** Answers one of the gateway's own operations that needs a session, in the same way as any other service. */
export type AnswerOwn = (admitted: Admitted, caller: UnsignedCaller) => Promise<Forwarded>;

type AnyHandler = (call: Call<Operation>, trust: Trust) => Promise<unknown>;

interface Prepared {
  handler: AnyHandler;
  stringify: (reply: unknown) => string;
}

type Needs = Pick<
  Deps,
  "clock" | "config" | "db" | "identity" | "limiter" | "redis" | "services" | "settings"
>;

const prepare = (deps: Needs): Map<string, Prepared> =>
  new Map(
    Object.entries(createInstallationHandlers(deps)).map(([name, handler]) => {
      const declared = operations.gateway[name as keyof typeof operations.gateway];
      const stringify = createReplySerializer(declared);
      return [name, { handler, stringify }];
    }),
  );

/** Runs the steps in the order of every service: the application's hook, input, session and permission, handler, hook. */
export const createOwnAnswers = (deps: Needs): AnswerOwn => {
  const { clock, config } = deps;
  const { hooks, admin, anonymous, organization, additionalFields } = config;
  const prepared = prepare(deps);
  const rules = {
    clock,
    freshAgeSeconds: config.session.freshAge,
    resolveSession: async (caller: Caller) => vouchedSession(caller, additionalFields),
    admin,
    anonymous,
    organization,
  };
  return async ({ operation, inbound, trust }, { resolved, ...asked }) => {
    const caller: Caller =
      resolved === undefined ? asked : { ...asked, resolved: JSON.parse(resolved) };
    const own = prepared.get(operation.name);
    if (!own) throw new TypeError(`nothing answers ${operation.name}`);
    const { request } = inbound;
    const body = operation.body
      ? await readBody(request.headers["content-type"], request.body as Buffer | undefined)
      : undefined;
    const sent = { params: {}, query: request.query as Record<string, unknown>, body };
    const session = await findHookSession(operation, rules, caller);
    const context = () => hookContext(operation, caller, { ...sent, session });
    if (hooks.before) await hooks.before(context());
    const call = await readCall(operation, { caller, sent }, rules);
    const returned = await own.handler(call, trust);
    const added = await hooks.after?.({ ...context(), returned });
    return {
      status: 200,
      headers: { "content-type": "application/json", ...added?.headers },
      body: Buffer.from(own.stringify(returned)),
      effect: undefined,
    };
  };
};

import { type Caller, type Operation, operations } from "@latchkey/contracts";
import {
  type Call,
  createReplySerializer,
  findHookSession,
  hookContext,
  readBody,
  readCall,
  type UnsignedCaller,
  vouchedSession,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { Forwarded } from "../forward/forward.ts";
import { createInstallationHandlers } from "../installation/installation-handlers.ts";
import type { Admitted } from "./admitted.ts";
import type { Trust } from "./trust.ts";

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
  const { hooks, admin, additionalFields } = config;
  const prepared = prepare(deps);
  const rules = {
    clock,
    freshAgeSeconds: config.session.freshAge,
    resolveSession: async (caller: Caller) => vouchedSession(caller, additionalFields),
    admin,
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

import { allOperations, type Operation } from "@latchkey/contracts";
import { addressKey, createServiceTokenReader } from "@latchkey/service-kit/http";
import { type Metrics, registerCounter } from "@latchkey/service-kit/observe";
import type { FastifyRequest } from "fastify";
import type { GatewayConfig } from "../config.ts";
import type { Decision, Limiter, RateRule } from "./limiter.ts";
import { compilePathGlob } from "../paths/compile-path-glob.ts";

/** A rule in the configuration: `window` in seconds, `max` requests in it. `false` removes the limit. */
type RateRuleSetting = { readonly window: number; readonly max: number } | false;

/** A fixed setting, or one that depends on the request. */
type CustomRateRule<Request> =
  | RateRuleSetting
  | ((request: Request) => RateRuleSetting | Promise<RateRuleSetting>);

/** The `rateLimit` options that define the rules. */
export interface RateRuleOptions<Request> {
  readonly window?: number | undefined;
  readonly max?: number | undefined;
  /** By operation path or glob. The first matching key in declaration order is used. */
  readonly customRules?: Readonly<Record<string, CustomRateRule<Request>>> | undefined;
}

/** Rules prepared for `chooseRule`. */
interface RateRules<Request> {
  readonly general: RateRule;
  readonly custom: readonly {
    readonly key: string;
    readonly fits: (path: string) => boolean;
    readonly rule: CustomRateRule<Request>;
  }[];
}

/** The operation and path that determine the rule. */
interface RateTarget {
  /** Canonical, without the base path. */
  readonly path: string;
  readonly operation: Pick<Operation, "rateClass"> | undefined;
}

/** The rules of the rate classes that the options do not set. */
const fixedRules: Partial<Record<Operation["rateClass"], RateRule>> = {
  strict: { windowSeconds: 10, max: 3 },
  "mailed link": { windowSeconds: 60, max: 5 },
  "mailed code": { windowSeconds: 60, max: 3 },
  "texted code": { windowSeconds: 60, max: 10 },
  moderate: { windowSeconds: 10, max: 10 },
  file: { windowSeconds: 10, max: 1_000 },
  switch: { windowSeconds: 60, max: 30 },
  guest: { windowSeconds: 3_600, max: 30 },
  registration: { windowSeconds: 3_600, max: 5 },
  client: { windowSeconds: 60, max: 600 },
  device: { windowSeconds: 60, max: 10 },
};

/** Returns the fixed rule of the target's class, or undefined if the general one applies. */
const fixedRule = ({ operation }: RateTarget): RateRule | undefined =>
  operation && fixedRules[operation.rateClass];

/** Prepares the configured rules once, including globs. Without options: 100 requests in 10 seconds. */
export function compileRateRules<Request>(options: RateRuleOptions<Request>): RateRules<Request> {
  return {
    general: { windowSeconds: options.window ?? 10, max: options.max ?? 100 },
    custom: Object.entries(options.customRules ?? {}).map(([key, rule]) => ({
      key,
      fits: key.includes("*") ? compilePathGlob(key) : (path) => path === key,
      rule,
    })),
  };
}

/**
 * Returns the rule of a request, or false if there is no limit. A custom rule has precedence over the fixed one of a class,
 * and that over the general one. Passes on any error of a custom function.
 */
export async function chooseRule<Request>(
  target: RateTarget,
  rules: RateRules<Request>,
  request: Request,
): Promise<RateRule | false> {
  const custom = rules.custom.find(({ fits }) => fits(target.path))?.rule;
  if (custom === undefined) return fixedRule(target) ?? rules.general;
  return toRule(typeof custom === "function" ? await custom(request) : custom);
}

/** Returns whether the general rule applies. */
function isGeneral<Request>(target: RateTarget, { custom }: RateRules<Request>): boolean {
  return fixedRule(target) === undefined && !custom.some(({ fits }) => fits(target.path));
}

/** Returns the name of a request's rule: the key of a custom one, otherwise its class. */
function nameRule<Request>(target: RateTarget, { custom }: RateRules<Request>): string {
  const key = custom.find(({ fits }) => fits(target.path))?.key;
  return key ?? (fixedRule(target) && target.operation?.rateClass) ?? "general";
}

function toRule(setting: RateRuleSetting): RateRule | false {
  return setting === false ? false : { windowSeconds: setting.window, max: setting.max };
}

export interface LimitedRequest {
  request: FastifyRequest;
  address: string | undefined;
  /** Canonical, below the base path. */
  path: string;
  operation: Operation | undefined;
}

/** Decides whether a request is allowed. */
export type Limit = (limited: LimitedRequest) => Promise<Decision>;

const publicOperations = allOperations.filter(({ exposure }) => exposure === "public");

const keyOf = (address: string | undefined, operation: Pick<Operation, "name"> | undefined) =>
  `${addressKey(address)} ${operation?.name ?? "unmatched"}`;

/** Resets all limits of a client address. Returns the number of counts that were open. */
export const resetLimits = (
  limiter: Pick<Limiter, "reset">,
  address: string,
): Promise<number> | number =>
  limiter.reset([...publicOperations, undefined].map((operation) => keyOf(address, operation)));

const allowed: Decision = { allowed: true };

/** Names the calling service to the limits alone. It signs in nobody and permits nothing. */
const serviceTokenHeader = "x-service-token";

/**
 * Counts by client address and operation, so that different spellings of a path share a count. A server that renders pages for all of
 * its users has one address. With a service token it counts as that service, but only where the general rule applies, so that a token
 * helps nobody to guess passwords or codes.
 */
export const createLimit = (
  { rateLimit: config, serviceTokens }: Pick<GatewayConfig, "rateLimit" | "serviceTokens">,
  limiter: Limiter,
  metrics: Metrics,
): Limit => {
  const refusals = registerCounter(metrics, {
    name: "rate_limit_refusals_total",
    help: "Requests over a rate limit by the rule that refused them",
    labels: ["rule"],
  });
  if (!config.enabled) return async () => allowed;
  const rules = compileRateRules(config);
  const hit = async (target: RateTarget, key: string, rule: RateRule): Promise<Decision> => {
    const decision = await limiter.hit(key, rule);
    if (!decision.allowed) refusals.inc({ rule: nameRule(target, rules) });
    return decision;
  };
  const readService = createServiceTokenReader(serviceTokens);
  const serviceRule = { windowSeconds: config.services.window, max: config.services.max };
  const serviceOf = ({ request, ...target }: LimitedRequest): string | undefined => {
    const token = request.headers[serviceTokenHeader];
    return typeof token === "string" && isGeneral(target, rules)
      ? readService(`Bearer ${token}`)
      : undefined;
  };
  return async (limited) => {
    const { request, address, path, operation } = limited;
    const service = serviceOf(limited);
    if (service !== undefined)
      return hit(limited, `service ${service} ${operation?.name ?? "unmatched"}`, serviceRule);
    const rule = await chooseRule(limited, rules, {
      method: request.method,
      path,
      address: address ?? "",
      headers: request.headers,
    });
    return rule ? hit(limited, keyOf(address, operation), rule) : allowed;
  };
};

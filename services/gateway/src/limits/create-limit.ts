import { allOperations, type Operation } from "@latchkey/contracts";
import { type Metrics, registerCounter } from "@latchkey/service-kit";
import type { FastifyRequest } from "fastify";
import { addressKey } from "../address/address-key.ts";
import type { GatewayConfig } from "../config.ts";
import type { Decision, Limiter, RateRule } from "./limiter.ts";
import { chooseRule, compileRateRules, nameRule, type RateTarget } from "./rate-rules.ts";

export interface LimitedRequest {
  request: FastifyRequest;
  address: string | undefined;
  /** Canonical, below the base path. */
  path: string;
  operation: Operation | undefined;
}

/** Decides whether a request is allowed. Returns a plain value if that needs no I/O. */
export type Limit = (limited: LimitedRequest) => Decision | Promise<Decision>;

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

/** Counts by client address and operation, so that different spellings of a path share a count. */
export const createLimit = (
  config: GatewayConfig["rateLimit"],
  limiter: Limiter,
  metrics: Metrics,
): Limit => {
  const refusals = registerCounter(metrics, {
    name: "rate_limit_refusals_total",
    help: "Requests over a rate limit by the rule that refused them",
    labels: ["rule"],
  });
  if (!config.enabled) return () => allowed;
  const rules = compileRateRules(config);
  const count = (target: RateTarget, decision: Decision): Decision => {
    if (!decision.allowed) refusals.inc({ rule: nameRule(target, rules) });
    return decision;
  };
  const hit = (target: RateTarget, key: string, rule: RateRule): Decision | Promise<Decision> => {
    const decision = limiter.hit(key, rule);
    return decision instanceof Promise
      ? decision.then((decided) => count(target, decided))
      : count(target, decision);
  };
  return (limited) => {
    const { request, address, path, operation } = limited;
    const rule = chooseRule(limited, rules, {
      method: request.method,
      path,
      address: address ?? "",
      headers: request.headers,
    });
    const key = keyOf(address, operation);
    if (rule instanceof Promise)
      return rule.then((chosen) => (chosen ? hit(limited, key, chosen) : allowed));
    return rule ? hit(limited, key, rule) : allowed;
  };
};

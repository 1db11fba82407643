import type { Operation } from "@latchkey/contracts";
import type { FastifyRequest } from "fastify";
import { addressKey } from "../address/address-key.ts";
import type { GatewayConfig } from "../config.ts";
import type { Decision, Limiter } from "./limiter.ts";
import { chooseRule, compileRateRules } from "./rate-rules.ts";

export interface LimitedRequest {
  request: FastifyRequest;
  address: string | undefined;
  /** Canonical, below the base path. */
  path: string;
  operation: Operation | undefined;
}

/** Decides whether a request may go on; a value where that is known at once. */
export type Limit = (limited: LimitedRequest) => Decision | Promise<Decision>;

const allowed: Decision = { allowed: true };

/** Counts by client address and operation, so that no spelling of a path has a count of its own. */
export const createLimit = (config: GatewayConfig["rateLimit"], limiter: Limiter): Limit => {
  if (!config.enabled) return () => allowed;
  const rules = compileRateRules(config);
  return ({ request, address, path, operation }) => {
    const rule = chooseRule(path, rules, {
      method: request.method,
      path,
      address: address ?? "",
      headers: request.headers,
    });
    const key = `${addressKey(address)} ${operation?.name ?? "unmatched"}`;
    if (rule instanceof Promise)
      return rule.then((chosen) => (chosen ? limiter.hit(key, chosen) : allowed));
    return rule ? limiter.hit(key, rule) : allowed;
  };
};

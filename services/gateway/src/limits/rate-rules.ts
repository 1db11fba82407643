import type { Operation } from "@latchkey/contracts";
import { compilePathGlob } from "../paths/compile-path-glob.ts";
import type { RateRule } from "./limiter.ts";

/** A rule in the configuration: `window` in seconds, `max` requests in it. `false` removes the limit. */
export type RateRuleSetting = { readonly window: number; readonly max: number } | false;

/** A fixed setting, or one that depends on the request. */
export type CustomRateRule<Request> =
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
export interface RateRules<Request> {
  readonly general: RateRule;
  readonly custom: readonly {
    readonly key: string;
    readonly fits: (path: string) => boolean;
    readonly rule: CustomRateRule<Request>;
  }[];
}

/** The operation and path that determine the rule. */
export interface RateTarget {
  /** Canonical, without the base path. */
  readonly path: string;
  readonly operation: Pick<Operation, "rateClass"> | undefined;
}

/** The rules of the rate classes that the options do not set. */
const fixedRules: Partial<Record<Operation["rateClass"], RateRule>> = {
  strict: { windowSeconds: 10, max: 3 },
  "mailed link": { windowSeconds: 60, max: 5 },
  "mailed code": { windowSeconds: 60, max: 3 },
  moderate: { windowSeconds: 10, max: 10 },
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
export function chooseRule<Request>(
  target: RateTarget,
  rules: RateRules<Request>,
  request: Request,
): RateRule | false | Promise<RateRule | false> {
  const custom = rules.custom.find(({ fits }) => fits(target.path))?.rule;
  if (custom === undefined) return fixedRule(target) ?? rules.general;
  const setting = typeof custom === "function" ? custom(request) : custom;
  return setting instanceof Promise ? setting.then(toRule) : toRule(setting);
}

/** Returns the name of a request's rule: the key of a custom one, otherwise its class. */
export function nameRule<Request>(target: RateTarget, { custom }: RateRules<Request>): string {
  const key = custom.find(({ fits }) => fits(target.path))?.key;
  return key ?? (fixedRule(target) && target.operation?.rateClass) ?? "general";
}

function toRule(setting: RateRuleSetting): RateRule | false {
  return setting === false ? false : { windowSeconds: setting.window, max: setting.max };
}

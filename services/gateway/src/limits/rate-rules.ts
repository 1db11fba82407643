import { compilePathGlob } from "../paths/compile-path-glob.ts";
import type { RateRule } from "./limiter.ts";

/** A rule as the configuration writes it: `window` in seconds, `max` requests in it; `false` lifts the limit. */
export type RateRuleSetting = { readonly window: number; readonly max: number } | false;

/** A fixed setting, or one that depends on the request. */
export type CustomRateRule<Request> =
  | RateRuleSetting
  | ((request: Request) => RateRuleSetting | Promise<RateRuleSetting>);

/** The part of the `rateLimit` options that rules are made of. */
export interface RateRuleOptions<Request> {
  readonly window?: number | undefined;
  readonly max?: number | undefined;
  /** By operation path or glob; the first key in declaration order that fits counts. */
  readonly customRules?: Readonly<Record<string, CustomRateRule<Request>>> | undefined;
}

/** Rules made ready for `chooseRule`. */
export interface RateRules<Request> {
  readonly general: RateRule;
  readonly custom: readonly {
    readonly key: string;
    readonly fits: (path: string) => boolean;
    readonly rule: CustomRateRule<Request>;
  }[];
}

const strictPrefixes = [
  "/sign-in",
  "/sign-up",
  "/change-password",
  "/change-email",
  "/admin/first-run",
];
const strict: RateRule = { windowSeconds: 10, max: 3 };

const isStrict = (path: string): boolean =>
  strictPrefixes.some((prefix) => path.startsWith(prefix));

/** Prepares the configured rules once, globs included; without options, 100 requests in 10 seconds. */
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
 * The rule for an operation path (canonical, without base path); false where there is no limit. A custom rule stands
 * above the strict rule of the paths that guess or change credentials, and that above the general one. What a custom
 * function throws reaches the caller.
 */
export function chooseRule<Request>(
  path: string,
  rules: RateRules<Request>,
  request: Request,
): RateRule | false | Promise<RateRule | false> {
  const custom = rules.custom.find(({ fits }) => fits(path))?.rule;
  if (custom === undefined) return isStrict(path) ? strict : rules.general;
  const setting = typeof custom === "function" ? custom(request) : custom;
  return setting instanceof Promise ? setting.then(toRule) : toRule(setting);
}

/** What the rule for an operation path is called: the key of a custom one, else `strict` or `general`. */
export function nameRule<Request>(path: string, { custom }: RateRules<Request>): string {
  const key = custom.find(({ fits }) => fits(path))?.key;
  return key ?? (isStrict(path) ? "strict" : "general");
}

function toRule(setting: RateRuleSetting): RateRule | false {
  return setting === false ? false : { windowSeconds: setting.window, max: setting.max };
}

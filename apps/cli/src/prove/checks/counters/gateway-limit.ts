import type { Check, Found } from "../../check.ts";
import type { CheckContext } from "../../check-context.ts";
import { NotProven } from "../../not-proven.ts";
import { breakdowns, tally } from "../../tally.ts";
import type { Answer } from "../../http/connections.ts";

const requestsMax = 2_000;

interface Rule {
  max: number;
  windowSeconds: number;
}

const ruleOf = ({ option }: CheckContext): Rule => {
  if (option("rateLimit.enabled") !== true) throw new NotProven("rateLimit.enabled");
  const max = option("rateLimit.max");
  const windowSeconds = option("rateLimit.window");
  const custom = Object.keys(option("rateLimit.customRules") ?? {});
  if (custom.some((key) => key.includes("*")))
    throw new NotProven("rateLimit.customRules without patterns, which may be about any path");
  if (typeof max !== "number" || typeof windowSeconds !== "number" || max > requestsMax)
    throw new NotProven(`rateLimit.max of ${requestsMax} at most`);
  return { max, windowSeconds };
};

/** Exhausts one client's limit on unknown paths, which share one counter. */
const spend = async (context: CheckContext, { max, windowSeconds }: Rule): Promise<Answer[]> => {
  const { callers } = context.measure;
  const browser = context.anybody();
  const target = `/${context.newName()}`;
  const begun = performance.now();
  const answers: Answer[] = [];
  const perReplica = max * context.gateway.replicas.length;
  while (answers.length < perReplica + callers) {
    const wave = Array.from({ length: callers }, () =>
      browser.send({ method: "GET", target }, { isOnce: true }),
    );
    answers.push(...(await Promise.all(wave)));
    if (answers.every(({ status }) => status === 429)) break;
  }
  if (performance.now() - begun > windowSeconds * 1000)
    throw new NotProven(`a connection that carries ${answers.length} requests in one window`);
  return answers;
};

/** Checks that a client gets exactly as many requests as the limit allows, also with concurrent requests. */
export const gatewayLimit: Check = {
  class: "counters",
  name: "a client is admitted no more often than the rate limit allows",
  remedy:
    "Limits are exceeded. Behind several gateways set REDIS_URL or rateLimit.storage; else update.",
  run: async (context): Promise<Found> => {
    const rule = ruleOf(context);
    const replicas = context.gateway.replicas.length;
    const isShared = context.option("rateLimit.storage") !== "memory";
    // Counts in memory are per process, as docs/security.md says.
    const allowed = rule.max * (isShared ? 1 : replicas);
    const answers = await spend(context, rule);
    const passed = answers.filter(({ status }) => status !== 429).length;
    const shown = tally(answers, ({ status }) => String(status));
    const each = isShared ? "" : `, of each of ${replicas} processes`;
    return {
      figures: `limit ${rule.max} in ${rule.windowSeconds} s${each}; ${answers.length} sent: ${shown}`,
      problems: [
        ...(passed <= allowed ? [] : [`${passed} requests were let in, not ${allowed} at most`]),
        ...breakdowns(answers),
      ],
    };
  },
};

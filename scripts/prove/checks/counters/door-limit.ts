import type { Check, Found } from "../../check.ts";
import type { Ground } from "../../ground.ts";
import { NotProven } from "../../not-proven.ts";
import { breakdowns, tally } from "../../tally.ts";
import type { Answer } from "../../http/connections.ts";

const requestsMax = 2_000;

interface Rule {
  max: number;
  windowSeconds: number;
}

const ruleOf = ({ option }: Ground): Rule => {
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

/** Spends what one client has at a path that nobody uses: an unknown one, for which all unknown ones are counted. */
const spend = async (ground: Ground, { max, windowSeconds }: Rule): Promise<Answer[]> => {
  const { callers } = ground.measure;
  const browser = ground.anybody();
  const target = `/${ground.newName()}`;
  const begun = performance.now();
  const answers: Answer[] = [];
  const perReplica = max * ground.door.replicas.length;
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

/** A client is let in as often as the limit says, however many requests it sends at once. */
export const doorLimit: Check = {
  class: "counters",
  name: "a client is let in no more often than the rate limit says",
  remedy:
    "Limits are exceeded. Behind several gateways set REDIS_URL or rateLimit.storage; else update.",
  run: async (ground): Promise<Found> => {
    const rule = ruleOf(ground);
    const replicas = ground.door.replicas.length;
    const isShared = ground.option("rateLimit.storage") !== "memory";
    // Counts of the memory are those of each process, as docs/security.md says.
    const allowed = rule.max * (isShared ? 1 : replicas);
    const answers = await spend(ground, rule);
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

import { setTimeout as sleep } from "node:timers/promises";
import type { Check } from "../../check.ts";
import type { CheckContext } from "../../check-context.ts";
import type { Answer } from "../../http/connections.ts";
import { isNotOffered } from "../../offered-operations.ts";
import { NotProven } from "../../not-proven.ts";
import { type Asked, createKnown, nobodyOf, type Question, questions } from "../../questions.ts";
import { rankTest } from "../../rank-test.ts";

/** The probability that a check fails although the times reveal nothing. */
export const falseAlarms = 0.001;
/** The range of shares in which a difference is too small to be useful to an attacker. */
const larger = { min: 0.4, max: 0.6 };
/** The longest total wait for rate limits per question. */
const waitSecondsMax = 60;

interface Times {
  known: number[];
  unknown: number[];
}

/** Returns both kinds in random order, so that background work of one request affects both kinds equally. */
const shuffled = (samples: number): (keyof Times)[] =>
  Array.from({ length: 2 * samples }, (_, index) => ({
    kind: index % 2 === 0 ? ("known" as const) : ("unknown" as const),
    place: Math.random(),
  }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ kind }) => kind);

/**
 * Returns a function that sends a request and waits for rate limits. The wait is not part of the measured time. Returns undefined if the
 * operation is not offered.
 */
const createAsker = (context: CheckContext, { operation, body, name }: Question) => {
  let waited = 0;
  const browser = context.anybody();
  return async (asked: Asked): Promise<Answer | undefined> => {
    for (;;) {
      // If the deployment believes addresses, each request comes from a new client. Otherwise one client keeps its connection.
      const asking = context.gateway.believesAddresses ? context.anybody() : browser;
      const sent = { body: body(asked) };
      const answer = await asking.ask(operation, sent, { isOnce: true, replica: 0 });
      if (isNotOffered(answer)) return undefined;
      const seconds = Number(answer.headers["retry-after"]);
      if (answer.status !== 429 && answer.status !== 503) return answer;
      waited += Number.isFinite(seconds) ? seconds : waitSecondsMax;
      if (waited > waitSecondsMax)
        throw new NotProven(
          `limits that let ${name} be asked ${2 * context.measure.samples} times: fewer --samples, or where its addresses are believed (trustedProxies)`,
        );
      await sleep(seconds * 1000, undefined, { signal: context.signal });
    }
  };
};

const measure = async (context: CheckContext, question: Question): Promise<Times | undefined> => {
  const knownSubject = await createKnown(context, question.about);
  const timeAnswer = createAsker(context, question);
  const times: Times = { known: [], unknown: [] };
  // The first requests open connections and fill caches.
  for (const subject of [knownSubject, nobodyOf(context)])
    if ((await timeAnswer(subject)) === undefined) return undefined;
  for (const kind of shuffled(context.measure.samples)) {
    const answer = await timeAnswer(kind === "known" ? knownSubject : nobodyOf(context));
    if (answer) times[kind].push(answer.answeredAt - answer.sentAt);
  }
  return times;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const timesOf = (question: Question): Check => ({
  class: "enumeration",
  name: `${question.name}: who is known takes as long as who is unknown`,
  remedy:
    "Response times reveal who has an account. Check hooks that run only for known users, and update Latchkey.",
  run: async (context) => {
    if (context.measure.samples === 0) throw new NotProven("--samples above 0");
    const times = await measure(context, question);
    if (!times) throw new NotProven(`${question.name}, which is switched off here`);
    const { known: knownTimes, unknown } = times;
    const rank = rankTest(knownTimes, unknown);
    const isTold =
      rank.chance < falseAlarms && (rank.larger < larger.min || rank.larger > larger.max);
    const share = Math.round(rank.larger * 100);
    return {
      figures: `${knownTimes.length} of each: ${median(knownTimes).toFixed(1)} ms known, ${median(unknown).toFixed(1)} ms unknown; known slower in ${share} %, by chance p = ${rank.chance.toPrecision(2)}`,
      problems: isTold ? [`known ones are slower in ${share} % of comparisons`] : [],
    };
  },
});

/** Attack: finding out who has an account by measuring response times. */
export const sameTimes: readonly Check[] = questions.map(timesOf);

import { setTimeout as sleep } from "node:timers/promises";
import type { Check } from "../../check.ts";
import type { Ground } from "../../ground.ts";
import type { Answer } from "../../http/connections.ts";
import { isNotOffered } from "../../offered-operations.ts";
import { NotProven } from "../../not-proven.ts";
import { type Asked, createKnown, nobodyOf, type Question, questions } from "../../questions.ts";
import { rankTest } from "../../rank-test.ts";

/** How often a question that tells nothing may be blamed by chance. */
export const falseAlarms = 0.001;
/** As far as one kind may be slower more often than not before it is of use to anybody. */
const larger = { min: 0.4, max: 0.6 };
/** How long limits may hold up one question. */
const waitSecondsMax = 60;

interface Times {
  known: number[];
  unknown: number[];
}

/** Both kinds in an order of chance: what one leaves to be done behind it hits the next of either kind. */
const shuffled = (samples: number): (keyof Times)[] =>
  Array.from({ length: 2 * samples }, (_, index) => ({
    kind: index % 2 === 0 ? ("known" as const) : ("unknown" as const),
    place: Math.random(),
  }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ kind }) => kind);

/** Asks, however long limits make it wait, which is no part of the time; undefined where it is not offered. */
const createAsker = (ground: Ground, { operation, body, name }: Question) => {
  let waited = 0;
  const browser = ground.anybody();
  return async (asked: Asked): Promise<Answer | undefined> => {
    for (;;) {
      // Where addresses are believed each is somebody else; elsewhere they are one, on a connection that is kept.
      const asking = ground.door.believesAddresses ? ground.anybody() : browser;
      const sent = { body: body(asked) };
      const answer = await asking.ask(operation, sent, { isOnce: true, replica: 0 });
      if (isNotOffered(answer)) return undefined;
      const seconds = Number(answer.headers["retry-after"]);
      if (answer.status !== 429 && answer.status !== 503) return answer;
      waited += Number.isFinite(seconds) ? seconds : waitSecondsMax;
      if (waited > waitSecondsMax)
        throw new NotProven(
          `limits that let ${name} be asked ${2 * ground.measure.samples} times: fewer --samples, or where its addresses are believed (trustedProxies)`,
        );
      await sleep(seconds * 1000, undefined, { signal: ground.signal });
    }
  };
};

const measure = async (ground: Ground, question: Question): Promise<Times | undefined> => {
  const known = await createKnown(ground, question.about);
  const ask = createAsker(ground, question);
  const times: Times = { known: [], unknown: [] };
  // The first ones open connections and fill caches.
  for (const asked of [known, nobodyOf(ground)])
    if ((await ask(asked)) === undefined) return undefined;
  for (const kind of shuffled(ground.measure.samples)) {
    const answer = await ask(kind === "known" ? known : nobodyOf(ground));
    if (answer) times[kind].push(answer.answeredAt - answer.sentAt);
  }
  return times;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const timesOf = (question: Question): Check => ({
  class: "enumeration",
  name: `${question.name}: who is known takes as long as who is unknown`,
  remedy: "Times tell who has an account: look at hooks that run for known users only, and update.",
  run: async (ground) => {
    if (ground.measure.samples === 0) throw new NotProven("--samples above 0");
    const times = await measure(ground, question);
    if (!times) throw new NotProven(`${question.name}, which is switched off here`);
    const { known, unknown } = times;
    const rank = rankTest(known, unknown);
    const isTold =
      rank.chance < falseAlarms && (rank.larger < larger.min || rank.larger > larger.max);
    const share = Math.round(rank.larger * 100);
    return {
      figures: `${known.length} of each: ${median(known).toFixed(1)} ms known, ${median(unknown).toFixed(1)} ms unknown; known slower in ${share} %, by chance p = ${rank.chance.toPrecision(2)}`,
      problems: isTold ? [`known ones are slower in ${share} % of comparisons`] : [],
    };
  },
});

/** Attack: telling by a stopwatch who has an account. */
export const sameTimes: readonly Check[] = questions.map(timesOf);

import { isDeadlock, lookUpTogether } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { ApiKeyRow } from "../keys/key-row.ts";
import { retireKey } from "../keys/retire-key.ts";
import type { UseOutcome } from "../keys/use-outcome.ts";
import { takeUses, type Uses, type UsesFound } from "./queries.ts";

/** A use of a key that somebody asks for. */
export type AskedUse = Pick<Uses, "key" | "passesUnrestricted" | "permissions">;

/** What became of a use; a good one comes with the key as it is after it. */
export type UseVerdict =
  | { outcome: "valid"; row: ApiKeyRow }
  | { outcome: "unknown" }
  /** Others changed the key again and again, so that nothing can be said of it. */
  | { outcome: "unsettled" }
  | { outcome: Exclude<UseOutcome, "rateLimited" | "valid">; row: ApiKeyRow }
  /** `tryAgainIn` in milliseconds. */
  | { outcome: "rateLimited"; row: ApiKeyRow; tryAgainIn: number };

/** Uses a key once, or says why it cannot be used. */
export type UseKey = (asked: AskedUse) => Promise<UseVerdict>;

type Needs = Pick<Deps, "clock" | "config" | "db">;

/** More would keep the first ones waiting. */
const groupMax = 256;
const deadlockTriesMax = 3;
/** While so many are on their way, further uses gather for the next one. */
const statementsMax = 4;
/** Each further try means that somebody else has changed the key in between. */
const triesMax = 100;

const tryAgainIn = ({ rateLimitTimeWindow, lastRequest }: ApiKeyRow, now: Date): number =>
  Math.max(
    1,
    Math.ceil((rateLimitTimeWindow ?? 0) - (now.getTime() - (lastRequest?.getTime() ?? 0))),
  );

const refusal = (outcome: Exclude<UseOutcome, "valid">, row: ApiKeyRow, now: Date): UseVerdict =>
  outcome === "rateLimited" ? { outcome, row, tryAgainIn: tryAgainIn(row, now) } : { outcome, row };

/** The key after each of some uses that were taken together, as if they had come one after the other. */
const afterEach = ({ row, room }: UsesFound, count: number): UseVerdict[] =>
  Array.from({ length: count }, (_, index) => {
    const later = count - 1 - index;
    return {
      outcome: "valid",
      row: {
        ...row,
        remaining: row.remaining === null ? null : row.remaining + later,
        requestCount: room === null ? row.requestCount : row.requestCount - later,
      },
    };
  });

/** How many of some uses that did not fit together would fit by themselves. */
const fitting = ({ usable, room }: UsesFound): number =>
  Math.min(usable ?? Number.POSITIVE_INFINITY, room ?? Number.POSITIVE_INFINITY);

/** Takes some uses of a key, or none where they do not all fit; undefined where there is no such key. */
type Take = (uses: Uses) => Promise<UsesFound | undefined>;

/** Sends what is asked for in one moment as one statement. */
const createTake = ({ config, db }: Needs): Take => {
  const { enabled: limitsRate } = config.apiKey.rateLimit;
  const read = async (many: readonly Uses[]): Promise<UsesFound[]> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await takeUses(db, many, { limitsRate });
      } catch (error) {
        // Nothing was taken: somebody else had locked two of the keys the other way round.
        if (!isDeadlock(error) || tries === deadlockTriesMax) throw error;
      }
    }
  };
  return lookUpTogether({
    read,
    nameOf: ({ key }) => key,
    keyOf: ({ uses }) => uses,
    statementsMax,
  });
};

/** A use that waits for its verdict. */
interface Waiter extends PromiseWithResolvers<UseVerdict> {
  asked: AskedUse;
}

const isSame = (a: AskedUse, b: AskedUse): boolean =>
  a.permissions === b.permissions && a.passesUnrestricted === b.passesUnrestricted;

/** Answers the first of a group. */
const answer = (group: Waiter[], verdicts: readonly UseVerdict[]): void => {
  for (const [index, { resolve }] of group.splice(0, verdicts.length).entries())
    resolve(verdicts[index] as UseVerdict);
};

/** Why uses that were not taken were not; undefined where fewer of them would have been. */
const refusalOf = (found: UsesFound): Exclude<UseOutcome, "valid"> | undefined => {
  const { outcome, usable } = found;
  if (outcome === "valid") return undefined;
  if (outcome !== "exhausted" && outcome !== "rateLimited") return outcome;
  if (fitting(found) > 0) return undefined;
  return usable === 0 ? "exhausted" : "rateLimited";
};

/**
 * Takes as many uses as the key allows for a group that asks for the same, and refuses the others. What was taken is answered
 * at once, so that no failure takes it back.
 */
const decide = async (deps: Needs & { take: Take }, group: Waiter[]): Promise<void> => {
  let wanted = group.length;
  for (let tries = 0; tries < triesMax; tries += 1) {
    const [first] = group;
    if (!first) return;
    const now = new Date(deps.clock());
    const found = await deps.take({ ...first.asked, count: wanted, now });
    if (!found)
      return answer(
        group,
        group.map(() => ({ outcome: "unknown" })),
      );
    if (found.isTaken) {
      answer(group, afterEach(found, wanted));
      wanted = group.length;
      continue;
    }
    const reason = refusalOf(found);
    if (reason) {
      const verdict = refusal(reason, found.row, now);
      // Where that fails, whoever looks next finds it so, or the sweep does.
      await retireKey(deps, found.row, reason).catch(() => {});
      return answer(
        group,
        group.map(() => verdict),
      );
    }
    if (found.outcome !== "valid") wanted = Math.min(fitting(found), wanted);
  }
  answer(
    group,
    group.map(() => ({ outcome: "unsettled" })),
  );
};

/**
 * Makes what uses keys. Uses of one moment go out in one statement, whatever their keys. Those of one key that come while it is
 * on its way wait for it and then go together, so that a key in everybody's hands costs one lock for many.
 */
export const createUseKey = (deps: Needs): UseKey => {
  /** Who waits, by key; there while a use of the key is on its way. */
  const lines = new Map<string, Waiter[]>();
  const needs = { ...deps, take: createTake(deps) };

  const serve = async (group: Waiter[]): Promise<void> => {
    try {
      await decide(needs, group);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  /** The first who wait, of those who ask for the same as the very first. */
  const nextGroup = (line: Waiter[]): Waiter[] => {
    const [first] = line;
    const group = line
      .filter(({ asked }) => first && isSame(asked, first.asked))
      .slice(0, groupMax);
    const chosen = new Set(group);
    line.splice(0, line.length, ...line.filter((waiter) => !chosen.has(waiter)));
    return group;
  };
  const serveAll = async (key: string, line: Waiter[]): Promise<void> => {
    while (line.length > 0) await serve(nextGroup(line));
    lines.delete(key);
  };

  return (asked) => {
    const waiter: Waiter = { ...Promise.withResolvers<UseVerdict>(), asked };
    const line = lines.get(asked.key);
    if (line) line.push(waiter);
    else {
      const begun = [waiter];
      lines.set(asked.key, begun);
      void serveAll(asked.key, begun);
    }
    return waiter.promise;
  };
};

import { WireError } from "@latchkey/contracts";
import { isDeadlock, lookUpTogether } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { ApiKeyRow } from "../keys/key-row.ts";
import { retireKey } from "../keys/retire-key.ts";
import { takeUses, type UseOutcome, type Uses, type UsesFound } from "./queries.ts";

/** A use of a key that somebody asks for. */
export type AskedUse = Pick<Uses, "key" | "passesUnrestricted" | "permissions">;

/** What became of a use; a good one comes with the key as it is after it. */
export type UseVerdict =
  | { outcome: "valid"; row: ApiKeyRow }
  | { outcome: "unknown" }
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

const nameOf = ({ key, passesUnrestricted, permissions }: AskedUse): string =>
  `${key} ${passesUnrestricted} ${permissions}`;

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
  return lookUpTogether({ read, nameOf, keyOf: ({ uses }) => uses, statementsMax });
};

/** Takes as many of `count` uses as the key allows, and refuses the others. */
const decide = async (
  deps: Needs & { take: Take },
  asked: AskedUse,
  count: number,
): Promise<UseVerdict[]> => {
  const verdicts: UseVerdict[] = [];
  const fill = (verdict: UseVerdict) => [
    ...verdicts,
    ...Array.from({ length: count - verdicts.length }, () => verdict),
  ];
  let wanted = count;
  for (let tries = 0; tries < triesMax; tries += 1) {
    const now = new Date(deps.clock());
    const found = await deps.take({ ...asked, count: wanted, now });
    if (!found) return fill({ outcome: "unknown" });
    const { row, outcome, isTaken } = found;
    if (isTaken) {
      verdicts.push(...afterEach(found, wanted));
      wanted = count - verdicts.length;
      if (wanted === 0) return verdicts;
    } else if (outcome !== "valid") {
      const fit = outcome === "exhausted" || outcome === "rateLimited" ? fitting(found) : 0;
      if (fit === 0) {
        const reason = outcome === "exhausted" && found.usable !== 0 ? "rateLimited" : outcome;
        await retireKey(deps, row, reason);
        return fill(refusal(reason, row, now));
      }
      wanted = Math.min(fit, wanted);
    }
  }
  throw new WireError("FAILED_TO_UPDATE_API_KEY");
};

/**
 * Makes what uses keys. Uses of one moment go out in one statement, whatever their keys. Those of one key that come while it is
 * on its way wait for it and then go together, so that a key in everybody's hands costs one lock for many.
 */
export const createUseKey = (deps: Needs): UseKey => {
  const lines = new Map<string, PromiseWithResolvers<UseVerdict>[]>();
  const needs = { ...deps, take: createTake(deps) };

  const serve = async (
    asked: AskedUse,
    group: readonly PromiseWithResolvers<UseVerdict>[],
  ): Promise<void> => {
    try {
      const verdicts = await decide(needs, asked, group.length);
      for (const [index, { resolve }] of group.entries()) resolve(verdicts[index] as UseVerdict);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const serveAll = async (name: string, asked: AskedUse): Promise<void> => {
    const line = lines.get(name) ?? [];
    while (line.length > 0) await serve(asked, line.splice(0, groupMax));
    lines.delete(name);
  };

  return (asked) => {
    const name = nameOf(asked);
    const waiter = Promise.withResolvers<UseVerdict>();
    const line = lines.get(name);
    if (line) line.push(waiter);
    else {
      lines.set(name, [waiter]);
      void serveAll(name, asked);
    }
    return waiter.promise;
  };
};

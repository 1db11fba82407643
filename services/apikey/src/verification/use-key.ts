import { appendAudit } from "@latchkey/service-kit/audit";
import { isDeadlock, lookUpTogether } from "@latchkey/service-kit/database";
import { type Metrics, registerCounter } from "@latchkey/service-kit/observe";
import type { Kysely } from "kysely";
import type { ApiKeyConfig } from "../config.ts";
import { type ApiKeyRow, ownerOf } from "../db/key-row.ts";
import type { Tables } from "../db/tables.ts";
import { deleteSpentKey } from "../keys/queries.ts";
import type { UseOutcome } from "../usage/usage-tally.ts";
import { type KeyColumn, takeUses, type Uses, type UsesFound } from "./queries.ts";

/**
 * Deletes a key that can never be used again: one that has expired, or has no uses left and no refill. Leaves any other key, also one that
 * got more time or uses in the meantime.
 */
export const endSpentKey = async (
  deps: { clock: () => number; db: Kysely<Tables> },
  key: ApiKeyRow,
  outcome: UseOutcome,
): Promise<void> => {
  const { id, refillAmount } = key;
  const isSpent = outcome === "exhausted" && refillAmount === null;
  if (outcome !== "expired" && !isSpent) return;
  await deps.db.transaction().execute(async (trx) => {
    if (!(await deleteSpentKey(trx, id, new Date(deps.clock())))) return;
    await appendAudit(trx, deps, {
      actor: { kind: "system" },
      subject: { kind: "api-key", id },
      action: `api-key.${outcome}`,
      before: ownerOf(key),
    });
  });
};

/** A requested use of a key. */
export type AskedUse = Pick<Uses, "key" | "passesUnrestricted" | "permissions">;

/** The outcome of a use. A valid use comes with the key after the use. */
export type UseVerdict =
  | { outcome: "valid"; row: ApiKeyRow }
  | { outcome: "unknown" }
  /** Concurrent changes of the key prevented a decision. */
  | { outcome: "unsettled" }
  | { outcome: Exclude<UseOutcome, "rateLimited" | "valid">; row: ApiKeyRow }
  /** `tryAgainIn` is in milliseconds. */
  | { outcome: "rateLimited"; row: ApiKeyRow; tryAgainIn: number };

/** Uses a key once, or returns why it cannot be used. */
export type UseKey = (asked: AskedUse) => Promise<UseVerdict>;

interface Needs {
  clock: () => number;
  config: Pick<ApiKeyConfig, "apiKey">;
  db: Kysely<Tables>;
}

/** Larger groups would delay the first uses. */
const groupMax = 256;
const deadlockTriesMax = 3;
/** While this many statements are in flight, further uses gather for the next one. */
const statementsMax = 4;
/** Each further try means that a concurrent change of the key came first. */
const triesMax = 100;

const tryAgainIn = ({ rateLimitTimeWindow, lastRequest }: ApiKeyRow, now: Date): number =>
  Math.max(
    1,
    Math.ceil((rateLimitTimeWindow ?? 0) - (now.getTime() - (lastRequest?.getTime() ?? 0))),
  );

const refusal = (outcome: Exclude<UseOutcome, "valid">, row: ApiKeyRow, now: Date): UseVerdict =>
  outcome === "rateLimited" ? { outcome, row, tryAgainIn: tryAgainIn(row, now) } : { outcome, row };

/** Returns the key after each of some uses that were taken together, as if they were sequential. */
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

/** Returns how many of some uses would be allowed, although not all are. */
const fitting = ({ usable, room }: UsesFound): number =>
  Math.min(usable ?? Number.POSITIVE_INFINITY, room ?? Number.POSITIVE_INFINITY);

/** Takes some uses of a key, or none if not all are allowed. Returns undefined if there is no such key. */
type Take = (uses: Uses) => Promise<UsesFound | undefined>;

/** Sends the uses that are requested at one moment as one statement. */
const createTake = ({ config, db }: Needs, by: KeyColumn): Take => {
  const { enabled: limitsRate } = config.apiKey.rateLimit;
  const read = async (many: readonly Uses[]): Promise<UsesFound[]> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await takeUses(db, many, { by, limitsRate });
      } catch (error) {
        // Nothing was taken, because another statement had locked two of the keys in the opposite order.
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

/** Resolves the first uses of a group. */
const answer = (group: Waiter[], verdicts: readonly UseVerdict[]): void => {
  for (const [index, { resolve }] of group.splice(0, verdicts.length).entries())
    resolve(verdicts[index] as UseVerdict);
};

/** Returns why uses were not taken, or undefined if fewer of them would be allowed. */
const refusalOf = (found: UsesFound): Exclude<UseOutcome, "valid"> | undefined => {
  const { outcome, usable } = found;
  if (outcome === "valid" || outcome === "retired") return undefined;
  if (outcome !== "exhausted" && outcome !== "rateLimited") return outcome;
  if (fitting(found) > 0) return undefined;
  return usable === 0 ? "exhausted" : "rateLimited";
};

interface Decider extends Needs {
  take: Take;
  /** Takes uses of a successor, by its id. */
  takeFromSuccessor: Take;
}

/** Returns the state of a presented key, which is retired, with the limits of its successor. */
const withLimitsOf = (charged: ApiKeyRow, presented: ApiKeyRow): ApiKeyRow => {
  const { id, start, prefix, expiresAt, createdAt, updatedAt, successorId } = presented;
  // The re-roll proves nothing about the holder of the earlier text.
  const { secondFactor } = presented;
  return {
    ...charged,
    id,
    start,
    prefix,
    expiresAt,
    createdAt,
    updatedAt,
    secondFactor,
    successorId,
  };
};

const presentedAs = (verdict: UseVerdict, presented: ApiKeyRow | undefined): UseVerdict =>
  presented && "row" in verdict
    ? { ...verdict, row: withLimitsOf(verdict.row, presented) }
    : verdict;

/**
 * Takes as many uses as the key allows for a group with the same request, and refuses the others. Uses that were taken are answered
 * immediately, so that no later failure can withdraw them. A retired key that is valid itself is decided by its successor, which has the
 * limits of both.
 */
const decide = async (deps: Decider, group: Waiter[]): Promise<void> => {
  const answerAll = (verdict: UseVerdict) =>
    answer(
      group,
      group.map(() => verdict),
    );
  let wanted = group.length;
  let retired: ApiKeyRow | undefined;
  for (let tries = 0; tries < triesMax; tries += 1) {
    const [first] = group;
    if (!first) return;
    const now = new Date(deps.clock());
    const uses = { ...first.asked, count: wanted, now };
    const successorId = retired?.successorId;
    const takenUse = successorId
      ? await deps.takeFromSuccessor({ ...uses, key: successorId })
      : await deps.take(uses);
    // A retired key ends with its successor.
    if (!takenUse)
      return answerAll(retired ? { outcome: "expired", row: retired } : { outcome: "unknown" });
    if (takenUse.outcome === "retired" || (retired && takenUse.row.successorId !== null)) {
      retired = { ...(retired ?? takenUse.row), successorId: takenUse.row.successorId };
      continue;
    }
    const shown = retired;
    if (takenUse.isTaken) {
      answer(
        group,
        afterEach(takenUse, wanted).map((verdict) => presentedAs(verdict, shown)),
      );
      wanted = group.length;
      continue;
    }
    const reason = refusalOf(takenUse);
    if (reason) {
      // If this fails, the next use or the sweep deletes the key.
      await endSpentKey(deps, takenUse.row, reason).catch(() => {});
      return answerAll(presentedAs(refusal(reason, takenUse.row, now), shown));
    }
    if (takenUse.outcome !== "valid") wanted = Math.min(fitting(takenUse), wanted);
  }
  return answerAll({ outcome: "unsettled" });
};

/**
 * Creates the function that uses keys. Uses at one moment share one statement, whatever their keys. Uses of a key whose statement is in
 * flight wait for it and then share the next one. Thus a heavily used key costs one lock for many uses.
 */
export const createUseKey = (deps: Needs): UseKey => {
  /** The waiting uses by key. A key is present while one of its uses is in flight. */
  const lines = new Map<string, Waiter[]>();
  const needs = {
    ...deps,
    take: createTake(deps, "key"),
    takeFromSuccessor: createTake(deps, "id"),
  };

  const serve = async (group: Waiter[]): Promise<void> => {
    try {
      await decide(needs, group);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  /** Removes and returns the first waiting uses that have the same request as the very first. */
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

/** Counts the outcome of a use. `malformed` is a text that cannot be a key and is never looked up. */
type CountUse = (outcome: UseVerdict["outcome"] | "malformed") => void;

/** Counts uses by outcome in the metrics. */
export const createUseCounter = (metrics: Metrics): CountUse => {
  const uses = registerCounter(metrics, {
    name: "api_key_uses_total",
    help: "Uses of API keys by outcome, verifications and requests by key alike",
    labels: ["outcome"],
  });
  return (outcome) => uses.inc({ outcome });
};

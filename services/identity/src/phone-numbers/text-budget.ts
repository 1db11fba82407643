import { hmacSha256, type SecretRing } from "@latchkey/crypto";
import { addressKey } from "@latchkey/service-kit/http";
import { type Metrics, registerCounter, registerGauge } from "@latchkey/service-kit/observe";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { IdentityConfig } from "../config.ts";
import { takeGuess } from "../email-codes/queries.ts";
import { deleteLastUse, insertUse } from "../limits/queries.ts";
import type { PhoneNumber } from "./read-number.ts";

/** Observes the requested text messages. */
export interface TextObserver {
  /** `refused`: a code was not due, or no try was left. The others name the budget that was used up. */
  record(outcome: "requested" | "refused" | Budget): void;
}

type Budget = "number" | "address" | "user" | "country" | "day";

/** Counts requested messages in the metrics, without numbers. */
export const observeTexts = (metrics: Metrics): TextObserver => {
  const texts = registerCounter(metrics, {
    name: "text_messages_total",
    help: "Requested text messages, by outcome",
    labels: ["outcome"],
  });
  return { record: (outcome) => texts.inc({ outcome }) };
};

const daySeconds = 86_400;

interface Needs {
  clock: () => number;
  config: Pick<IdentityConfig, "phoneNumber">;
  ring: SecretRing;
}

/**
 * The requesters that share a count. Messages that users request in a session count for `holders`, so that strangers do not use these counts up. Requests
 * that send nothing do the same work, and count for `nobody`.
 */
type Sharing = "users" | "holders" | "nobody" | "all";

interface Count {
  budget: Budget;
  countsFor: Sharing;
  subject: string;
}

const keyOf = ({ ring }: Pick<Needs, "ring">, { budget, countsFor, subject }: Count) =>
  hmacSha256(
    ring.derive("sliding-window")[0],
    `text-${budget}-${countsFor}:${subject}`,
    "base64url",
  );

export interface CountedText {
  to: PhoneNumber;
  /** The client's address. Empty if unknown. */
  address: string;
  /** The user who requests the message in a session or after the password. Undefined for strangers. */
  requestedBy: string | undefined;
  /** False if nothing may be sent. */
  isDue: boolean;
}

/** The share of the messages of a day that strangers can use up. The rest is for users in a session. */
const strangersShare = 0.9;

/**
 * Counts a message in every budget. Returns the first budget that is used up, or undefined if the message may be sent. A message that is
 * not sent uses up the budget of its client address only, so nobody can close the number of somebody else without a message to it. That
 * budget counts every request, because one that counted sent messages would tell known numbers apart. Budgets are exact across all replicas.
 */
export const takeBudgets = async (
  deps: Needs,
  trx: Kysely<Tables>,
  { to, address, requestedBy, isDue }: CountedText,
): Promise<Budget | undefined> => {
  const { budgets } = deps.config.phoneNumber;
  const countsFor = requestedBy === undefined ? "users" : "holders";
  const rules = [
    ["number", to.number, budgets.number],
    // Unknown addresses are not one client.
    ["address", address === "" ? to.number : addressKey(address), budgets.address],
    // Anybody may sign up and then request messages to any number. Strangers do the same work.
    ["user", requestedBy ?? to.number, budgets.number],
    ["country", to.callingCode, budgets.country],
  ] as const;
  let usedUp: Budget | undefined;
  const usedKeys: string[] = [];
  for (const [budget, subject, rule] of rules) {
    const isOfClient = budget === "address";
    const isCounted = isOfClient || (isDue && !usedUp);
    const key = keyOf(deps, { budget, countsFor: isCounted ? countsFor : "nobody", subject });
    if ((await insertUse(trx, key, rule)) === undefined) usedUp ??= budget;
    else if (!usedUp && !isOfClient) usedKeys.push(key);
  }
  const isCounted = isDue && !usedUp;
  const day = keyOf(deps, { budget: "day", countsFor: isCounted ? "all" : "nobody", subject: "" });
  const share = countsFor === "holders" ? 1 : strangersShare;
  const max = Math.ceil(budgets.dayMax * share);
  const limit = { window: daySeconds, max, now: new Date(deps.clock()) };
  if (!(await takeGuess(trx, day, limit))) usedUp ??= "day";
  if (usedUp) for (const key of usedKeys) await deleteLastUse(trx, key);
  return usedUp;
};

/** Reports how much of the day's messages is used, on which an alert is based: someone may be sending messages at your cost. */
export const observeDay = (metrics: Metrics, deps: Needs & { db: Kysely<Tables> }): void =>
  registerGauge(metrics, {
    name: "text_budget_used_ratio",
    help: "Share of the text messages of a day that is used up",
    read: async () => {
      const row = await deps.db
        .selectFrom("mailedCodeGuess")
        .select("count")
        .where("key", "=", keyOf(deps, { budget: "day", countsFor: "all", subject: "" }))
        .where("windowStart", ">", new Date(deps.clock() - daySeconds * 1000))
        .executeTakeFirst();
      return [{ value: (row?.count ?? 0) / deps.config.phoneNumber.budgets.dayMax }];
    },
  });

import { setTimeout as delay } from "node:timers/promises";
import { until } from "@latchkey/testkit";
import { chooseFaults, type Fault } from "./faults.ts";
import { planted, type Travel, travelOn } from "./journey.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { reconcile, repeatedMails, untilSettled } from "./reconcile.ts";
import { createRecordedClient, type RecordedClient } from "./recorded-client.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";
import { type Mailbox, type StormStack, startStormStack } from "./storm-stack.ts";
import { createWebhooks, describeArrivals, settleEvents } from "./webhooks.ts";
import { openPool } from "../../../harness/rows.ts";

export interface StormOptions {
  seed: number;
  /** How often each fault is applied. 0 for one fault of each kind. */
  rounds: number;
  /** Applies only faults with this text in their names. */
  only: string;
  say: (line: string) => void;
}

const clientsCount = 3;
const restMs = 700;
const strikeMs = 1_500;
/** Minimum number of requests during a fault, unless they are blocked for longer. */
const requestsMin = 15;
const patienceMs = 6_000;
const noticeMs = 60_000;
/** Shown part of the services' output after a failure. */
const shownCharacters = 3_000;
/** After this time without a failure, the system has recovered. */
const calmMs = 1_000;
/** Bounds that docs/degradation.md states. */
const recoverySecondsMax = 60;
const mailSecondsMax = 240;
/** A killed process holds its deliveries for a minute. */
const eventSecondsMax = 240;

interface Line {
  fault: string;
  requests: number;
  failed: string;
  recoveredMs: number;
}

const format = ({ fault, requests, failed, recoveredMs }: Line, seed: number): string =>
  `| ${fault.padEnd(34)} | ${String(requests).padStart(5)} | ${failed.padEnd(24)} | ${String(recoveredMs).padStart(6)} | ${seed} |`;

const createTravel = (system: StormStack, seed: number): Travel => {
  const ledger = createLedger();
  const random = createSeededRandom(seed);
  return {
    ledger,
    client: createRecordedClient(ledger),
    random,
    gateway: () => random.pick(system.gateways),
    keyService: () => `${system.urlOf("apikey", random.below(2))}/internal/api-key`,
  };
};

/** Starts clients that run until they are stopped. Then each has all its answers. */
const startLoad = (travel: Travel) => {
  const over = new AbortController();
  const rest = () => delay(restMs, undefined, { signal: over.signal }).catch(() => {});
  const clients = Array.from({ length: clientsCount }, () =>
    travelOn(travel, { isOver: () => over.signal.aborted, rest }),
  );
  return {
    end: async () => {
      over.abort();
      await Promise.all(clients);
    },
  };
};

/** Applies a fault, continues the load for a while, repairs the fault, and waits until nothing fails any more. */
const suffer = async (system: StormStack, client: RecordedClient, fault: Fault): Promise<Line> => {
  client.allow(fault.allowed);
  await Promise.all([fault.strike(system), delay(strikeMs)]);
  const giveUpAt = performance.now() + patienceMs;
  const isMet = () => client.tally().requests >= requestsMin || performance.now() > giveUpAt;
  const isNoticed = () => !fault.isFelt || Object.keys(client.tally().failed).length > 0;
  await until(() => isMet() && isNoticed(), {
    timeoutMs: noticeMs,
    describe: `a client that notices: ${fault.name}`,
  });
  await fault.repair(system);
  const mendedAt = performance.now();
  const lastTrouble = () => Math.max(client.tally().lastFailureAt, mendedAt);
  await until(async () => performance.now() - lastTrouble() > calmMs && (await system.isReady()), {
    timeoutMs: recoverySecondsMax * 1_000,
    intervalMs: 100,
    describe: `recovery from: ${fault.name}`,
  });
  const { requests, failed } = client.tally();
  const failures = Object.entries(failed).map(([status, count]) => `${count} x ${status}`);
  return {
    fault: fault.name,
    requests,
    failed: failures.join(", "),
    recoveredMs: Math.round(lastTrouble() - mendedAt),
  };
};

/** Applies one fault of each kind, with passwords that cost nothing. */
const isShortStorm = ({ rounds, only }: Pick<StormOptions, "rounds" | "only">): boolean =>
  rounds === 0 && only === "";

const chooseAll = (
  system: StormStack,
  { random, rounds, only }: Pick<StormOptions, "rounds" | "only"> & { random: SeededRandom },
): Fault[] => {
  const isShort = isShortStorm({ rounds, only });
  return Array.from({ length: Math.max(rounds, 1) }, () =>
    chooseFaults(system, { random, isShort }),
  )
    .flat()
    .filter(({ name }) => name.includes(only));
};

/** Returns a violation for each text of users, or sealed value, in the logs. */
const findInLogs = (logs: string, { users, sessions }: Ledger): string[] => {
  const texts = [...Object.values(planted), ...users, ...sessions.map(({ token }) => token)];
  const sealed = /v1\.[\w-]{40,}/.exec(logs)?.[0];
  return [
    ...texts.filter((text) => logs.includes(text)),
    ...(sealed === undefined ? [] : [sealed]),
  ].map((text) => `a log contains ${text}`);
};

const summary = (ledger: Ledger, mailbox: Mailbox): string => {
  const { users, sessions, invitations, keys, backupCodes } = ledger;
  const counts = {
    users: users.size,
    sessions,
    invitations,
    keys,
    "backup codes": backupCodes,
    mails: mailbox.received(),
  };
  const parts = Object.entries(counts).map(
    ([name, all]) => `${typeof all === "number" ? all : all.length} ${name}`,
  );
  return `${parts.join(", ")}; ${repeatedMails(mailbox)} came again under their Message-ID`;
};

/** Returns the violations. Throws if the system does not recover in time. */
export const runStorm = async (options: StormOptions): Promise<string[]> => {
  const { seed, say } = options;
  const system = await startStormStack(isShortStorm(options) ? "cheap" : "real");
  const pool = openPool(system.postgres.url);
  const random = createSeededRandom(seed);
  const { mailbox, receivers } = system;
  try {
    say(`storm with SEED=${seed}`);
    say(
      `| ${"fault".padEnd(34)} | asked | ${"failed meanwhile".padEnd(24)} | ms to recovery | seed |`,
    );
    const travel = createTravel(system, seed);
    const { ledger } = travel;
    const webhooks = await createWebhooks(travel.gateway(), { pool, receivers });
    let reportedCount = 0;
    for (const fault of chooseAll(system, { ...options, random })) {
      const load = startLoad(travel);
      try {
        say(format(await suffer(system, travel.client, fault), seed));
      } finally {
        await load.end();
      }
      await reconcile(travel, { pool, mailbox, isWhole: false });
      ledger.violations.push(...findInLogs(system.output(), ledger));
      if (ledger.violations.length > reportedCount)
        say(`${system.output().slice(-shownCharacters)}\n`);
      for (const violation of ledger.violations.slice(reportedCount)) say(`VIOLATED: ${violation}`);
      reportedCount = ledger.violations.length;
    }
    await untilSettled(ledger, { pool, mailbox, timeoutMs: mailSecondsMax * 1_000 });
    await reconcile(travel, { pool, mailbox, isWhole: true });
    const settling = { pool, receivers, webhooks, timeoutMs: eventSecondsMax * 1_000 };
    ledger.violations.push(...(await settleEvents(ledger, settling)));
    say(summary(ledger, mailbox));
    say(describeArrivals(receivers));
    return ledger.violations;
  } finally {
    await pool.end();
    await system.stop();
  }
};

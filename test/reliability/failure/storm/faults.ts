import { type ServiceName, serviceNames } from "@latchkey/contracts";
import type { RedisServer } from "@latchkey/testkit";
import { Redis } from "ioredis";
import type { SeededRandom } from "./seeded-random.ts";
import { replicasCount, type StormStack } from "./storm-stack.ts";

/** A fault, and its repair as by an orchestrator, a network or an operator. */
export interface Fault {
  name: string;
  /** Kind of fault. A short storm applies one of each. */
  kind: string;
  /** Accepted answers other than 200 and 503, as documented in docs/degradation.md and docs/operations.md. */
  allowed: readonly (number | "broken")[];
  /** The fault affects every client, so it lasts until a request has failed. */
  isFelt?: true;
  strike(system: StormStack): Promise<void>;
  repair(system: StormStack): Promise<void>;
}

const nothing = async () => {};
const delayMs = 300;
const jumpsMs = { "an hour ahead": 3_600_000, "an hour back": -3_600_000 };
const each = Array.from({ length: replicasCount }, (_, replica) => replica);

const kills: Fault[] = serviceNames.flatMap((service: ServiceName) =>
  each.map((replica) => ({
    name: `kill -9 of ${service} ${replica + 1}`,
    // Of its own kind, because a short storm must show that a killed sender loses no event.
    kind: service === "webhooks" ? "kill webhooks" : "kill a service",
    // Clients call gateways and, for keys, the apikey service directly.
    allowed: ["broken"] as const,
    strike: (system: StormStack) => system.restart(service, replica),
    repair: nothing,
  })),
);

const configureRedis = async ({ url }: RedisServer, name: string, value: string): Promise<void> => {
  const redis = new Redis(url);
  try {
    await redis.config("SET", name, value);
  } finally {
    redis.disconnect();
  }
};

const ofStores: Fault[] = [
  {
    name: "kill -9 of Redis",
    kind: "kill Redis",
    allowed: [],
    isFelt: true,
    strike: ({ redis }) => redis.kill(),
    repair: ({ redis }) => redis.restart(),
  },
  {
    name: "kill -9 of Postgres",
    kind: "kill Postgres",
    allowed: [],
    isFelt: true,
    strike: ({ postgres }) => postgres.kill(),
    repair: ({ postgres }) => postgres.keepUp(),
  },
  {
    name: "full Redis",
    kind: "full Redis",
    allowed: [],
    isFelt: true,
    strike: ({ redis }) => configureRedis(redis, "maxmemory", "1"),
    repair: ({ redis }) => configureRedis(redis, "maxmemory", "0"),
  },
  {
    name: "Redis without its replica",
    kind: "full Redis",
    allowed: [],
    isFelt: true,
    strike: ({ redis }) => configureRedis(redis, "min-replicas-to-write", "1"),
    repair: ({ redis }) => configureRedis(redis, "min-replicas-to-write", "0"),
  },
  {
    name: "full disk of Postgres",
    kind: "disk",
    allowed: [],
    isFelt: true,
    strike: ({ postgres }) => postgres.disk.fill(),
    repair: async ({ postgres }) => {
      await postgres.disk.empty();
      await postgres.keepUp();
    },
  },
  {
    name: "end of the SMTP server",
    kind: "SMTP",
    allowed: [],
    strike: ({ mailbox }) => mailbox.stop(),
    repair: ({ mailbox }) => mailbox.restart(),
  },
];

const ofLinks = ({ links }: StormStack): Fault[] =>
  [...links].flatMap(([name, proxies]) => {
    const heal = async () => {
      await Promise.all(proxies.map((proxy) => proxy.heal()));
    };
    const one = (what: string, strike: () => Promise<unknown>): Fault => ({
      name: `${name} ${what}`,
      kind: what,
      allowed: [],
      strike: async () => {
        await strike();
      },
      repair: heal,
    });
    return [
      one("cut", () => Promise.all(proxies.map((proxy) => proxy.cut()))),
      one("late", async () => proxies.forEach((proxy) => proxy.delay(delayMs))),
      one("silent", async () => proxies.forEach((proxy) => proxy.drop())),
    ];
  });

/** If clocks differ, no caller is accepted: 403, and 401 where that rejects a session. */
const ofClocks = (random: SeededRandom): Fault[] =>
  Object.entries(jumpsMs).flatMap(([jump, ms]) => {
    const only = { service: random.pick(serviceNames), replica: random.below(replicasCount) };
    return [
      {
        name: `clock of ${only.service} ${only.replica + 1} ${jump}`,
        kind: "clock of one",
        allowed: [401, 403],
        strike: (system: StormStack) => system.shiftClocks(ms, only),
        repair: (system: StormStack) => system.shiftClocks(0, only),
      },
      {
        name: `all clocks ${jump}`,
        kind: "clock of all",
        allowed: [401, 403],
        strike: (system: StormStack) => system.shiftClocks(ms),
        repair: (system: StormStack) => system.shiftClocks(0),
      },
    ];
  });

/** Returns all faults in random order. A short storm gets one of each kind. */
export const chooseFaults = (
  system: StormStack,
  { random, isShort }: { random: SeededRandom; isShort: boolean },
): Fault[] => {
  const all = random.shuffled([...kills, ...ofStores, ...ofLinks(system), ...ofClocks(random)]);
  if (!isShort) return all;
  return all.filter(({ kind }, index) => all.findIndex((one) => one.kind === kind) === index);
};

import { type ServiceName, serviceNames } from "@latchkey/contracts";
import type { SeededRandom } from "./seeded-random.ts";
import { replicasCount, type StormStack } from "./storm-stack.ts";

/** Something that goes wrong, and what sets it right again as an orchestrator, a network or an operator would. */
export interface Fault {
  name: string;
  /** Faults of one kind, of which a short storm takes one. */
  kind: string;
  /** What clients may be answered besides 200 and 503, as docs/degradation.md and docs/operations.md say. */
  allowed: readonly (number | "broken")[];
  /** Nobody gets on without noticing it, so that it goes on until somebody has. */
  isFelt?: true;
  strike(stack: StormStack): Promise<void>;
  mend(stack: StormStack): Promise<void>;
}

const nothing = async () => {};
const delayMs = 300;
const jumpsMs = { "an hour ahead": 3_600_000, "an hour back": -3_600_000 };
const each = Array.from({ length: replicasCount }, (_, replica) => replica);

const kills: Fault[] = serviceNames.flatMap((service: ServiceName) =>
  each.map((replica) => ({
    name: `kill -9 of ${service} ${replica + 1}`,
    kind: `kill ${service}`,
    // Clients call gateways and, with keys, the apikey service by themselves.
    allowed: ["broken"] as const,
    strike: (stack: StormStack) => stack.restart(service, replica),
    mend: nothing,
  })),
);

const ofStores: Fault[] = [
  {
    name: "kill -9 of Redis",
    kind: "kill Redis",
    allowed: [],
    isFelt: true,
    strike: ({ redis }) => redis.kill(),
    mend: ({ redis }) => redis.restart(),
  },
  {
    name: "kill -9 of Postgres",
    kind: "kill Postgres",
    allowed: [],
    isFelt: true,
    strike: ({ postgres }) => postgres.kill(),
    mend: ({ postgres }) => postgres.keepUp(),
  },
  {
    name: "full disk of Postgres",
    kind: "disk",
    allowed: [],
    isFelt: true,
    strike: ({ postgres }) => postgres.disk.fill(),
    mend: async ({ postgres }) => {
      await postgres.disk.empty();
      await postgres.keepUp();
    },
  },
  {
    name: "end of the SMTP server",
    kind: "SMTP",
    allowed: [],
    strike: ({ mailbox }) => mailbox.stop(),
    mend: ({ mailbox }) => mailbox.restart(),
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
      mend: heal,
    });
    return [
      one("cut", () => Promise.all(proxies.map((proxy) => proxy.cut()))),
      one("late", async () => proxies.forEach((proxy) => proxy.delay(delayMs))),
      one("silent", async () => proxies.forEach((proxy) => proxy.drop())),
    ];
  });

/** Between clocks that differ no caller is believed: 403, and 401 where that is how a session is refused. */
const ofClocks = (random: SeededRandom): Fault[] =>
  Object.entries(jumpsMs).flatMap(([jump, ms]) => {
    const only = { service: random.pick(serviceNames), replica: random.below(replicasCount) };
    return [
      {
        name: `clock of ${only.service} ${only.replica + 1} ${jump}`,
        kind: "clock of one",
        allowed: [401, 403],
        strike: (stack: StormStack) => stack.shiftClocks(ms, only),
        mend: (stack: StormStack) => stack.shiftClocks(0, only),
      },
      {
        name: `all clocks ${jump}`,
        kind: "clock of all",
        allowed: [401, 403],
        strike: (stack: StormStack) => stack.shiftClocks(ms),
        mend: (stack: StormStack) => stack.shiftClocks(0),
      },
    ];
  });

/** All faults in an order by chance; of a short storm one of each kind. */
export const chooseFaults = (
  stack: StormStack,
  { random, isShort }: { random: SeededRandom; isShort: boolean },
): Fault[] => {
  const all = random.shuffled([...kills, ...ofStores, ...ofLinks(stack), ...ofClocks(random)]);
  if (!isShort) return all;
  return all.filter(({ kind }, index) => all.findIndex((one) => one.kind === kind) === index);
};

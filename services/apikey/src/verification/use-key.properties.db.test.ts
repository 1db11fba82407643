import { expectNoLeaks } from "@latchkey/testkit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { apiKeyConfig, openApiKeyDatabase, seedKey } from "../db/test-apikey.fixture.ts";
import { storedKey } from "../keys/key-text.ts";
import { createUseKey } from "./use-key.ts";

expectNoLeaks("file");

const start = Date.parse("2030-01-02T03:04:05.678Z");
const hour = 3_600_000;
const seed = 20_300_102;

const { db, connect } = await openApiKeyDatabase();
const replicas = [db, connect()] as const;

interface Limits {
  remaining: number | null;
  refill: { amount: number; days: number } | null;
  rate: { max: number; window: number } | null;
}

const limits: fc.Arbitrary<Limits> = fc.record({
  remaining: fc.option(fc.integer({ min: 0, max: 12 })),
  refill: fc.option(
    fc.record({ amount: fc.integer({ min: 1, max: 6 }), days: fc.integer({ min: 1, max: 2 }) }),
  ),
  rate: fc.option(
    fc.record({
      max: fc.integer({ min: 1, max: 5 }),
      window: fc.constantFrom(hour, 30 * hour, 60 * hour),
    }),
  ),
});

const columnsOf = ({ remaining, refill, rate }: Limits) => ({
  createdAt: new Date(start),
  remaining,
  refillAmount: refill?.amount ?? null,
  refillInterval: refill?.days ?? null,
  rateLimitEnabled: rate !== null,
  rateLimitMax: rate?.max ?? null,
  rateLimitTimeWindow: rate?.window ?? null,
});

/** Models a key's limits for sequential uses. */
const createModel = ({ remaining, refill, rate }: Limits) => {
  let remainingUses = remaining;
  let refilledAt = start;
  let count = 0;
  let lastAt: number | undefined;
  let isGone = false;
  return (now: number): string => {
    if (isGone) return "unknown";
    const isDue =
      remainingUses !== null && refill !== null && now - refilledAt > refill.days * 24 * hour;
    const usable = isDue && refill ? refill.amount : remainingUses;
    if (usable === 0) {
      isGone = refill === null;
      return "exhausted";
    }
    const isOver = lastAt === undefined || (rate !== null && now - lastAt > rate.window);
    if (rate && !isOver && count >= rate.max) return "rateLimited";
    if (isDue) refilledAt = now;
    if (usable !== null) remainingUses = usable - 1;
    count = isOver ? 1 : count + 1;
    lastAt = now;
    return "valid";
  };
};

test("judges sequential uses at any times and under any limits as the rules say", async () => {
  const steps = fc.array(fc.integer({ min: 0, max: 40 * hour }), { minLength: 1, maxLength: 14 });
  const property = fc.asyncProperty(limits, steps, async (given, waits) => {
    let now = start;
    const [db] = replicas;
    const useKey = createUseKey({ clock: () => now, config: apiKeyConfig(), db });
    const { key: text } = await seedKey(db, columnsOf(given));
    const key = storedKey({ disableKeyHashing: false }, text);
    const judge = createModel(given);
    for (const wait of waits) {
      now += wait;
      const { outcome } = await useKey({ key, permissions: null, passesUnrestricted: false });
      expect(outcome).toBe(judge(now));
    }
  });
  await fc.assert(property, { numRuns: 120, seed });
});

test("admits exactly as many concurrent uses from two replicas as the limits allow", async () => {
  const property = fc.asyncProperty(
    limits,
    fc.integer({ min: 1, max: 24 }),
    fc.integer({ min: 0, max: 70 * hour }),
    async (given, asked, wait) => {
      const now = start + wait;
      const [db] = replicas;
      const users = replicas.map((replica) =>
        createUseKey({ clock: () => now, config: apiKeyConfig(), db: replica }),
      );
      const { id, key: text } = await seedKey(db, columnsOf(given));
      const key = storedKey({ disableKeyHashing: false }, text);
      const verdicts = await Promise.all(
        Array.from({ length: asked }, async (_, index) =>
          users[index % 2]?.({ key, permissions: null, passesUnrestricted: false }),
        ),
      );
      const judge = createModel(given);
      const expected = Array.from({ length: asked }, () => judge(now));
      const valid = (outcomes: readonly (string | undefined)[]) =>
        outcomes.filter((outcome) => outcome === "valid").length;
      expect(valid(verdicts.map((verdict) => verdict?.outcome))).toBe(valid(expected));
      const row = db.selectFrom("apiKey").select("remaining").where("id", "=", id);
      const storedRow = await row.executeTakeFirst();
      const isRefilled = given.refill !== null && wait > given.refill.days * 24 * hour;
      const usable = isRefilled && given.refill ? given.refill.amount : given.remaining;
      const uses = valid(expected);
      if (storedRow && given.remaining !== null && uses > 0)
        expect(storedRow.remaining).toBe((usable ?? 0) - uses);
    },
  );
  await fc.assert(property, { numRuns: 120, seed });
});

import { type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { afterEach, describe, expect, test, vi } from "vitest";
import { newTextId, seedKey } from "../db/test-apikey.fixture.ts";
import { addUsage } from "./queries.ts";
import { adminReadApiKeyUsage, readApiKeyUsage } from "./operations.ts";
import { noUses, openUsage } from "./test-usage.fixture.ts";

expectNoLeaks("file");

type Operations = typeof operations.apikey;
type Range = { from?: string; to?: string };

const fixture = await openUsage();
afterEach(() => {
  vi.unstubAllEnvs();
});

const clock = () => Date.parse("2030-03-15T23:30:00.000Z");

const daysIn = async (answer: Promise<Answer<{ days: { day: string; valid: number }[] }>>) => {
  const answered = await answer;
  if ("redirect" in answered) throw new Error("unexpected redirect");
  return answered.reply.days;
};

const read = ({ caller, session }: Person, id: string, range: Range = {}) => {
  const call = { caller, session, query: { id, ...range } };
  const deps = { ...fixture.deps, clock };
  return daysIn(readApiKeyUsage(deps, call as unknown as Call<Operations["readApiKeyUsage"]>));
};

const readAsAdmin = (id: string, query: Range = {}) => {
  const call = { params: { id }, query };
  const deps = { ...fixture.deps, clock };
  return daysIn(
    adminReadApiKeyUsage(deps, call as unknown as Call<Operations["adminReadApiKeyUsage"]>),
  );
};

const useOnDays = (person: Person, keyId: string, days: readonly string[]) =>
  addUsage(
    fixture.db,
    days.map((day) => ({
      ...noUses,
      keyId,
      userId: person.user.id,
      organizationId: null,
      day,
      valid: 1,
    })),
  );

const seed = async (person: Person, days: readonly string[]) => {
  const { id } = await seedKey(fixture.db, { userId: person.user.id });
  await useOnDays(person, id, days);
  return id;
};

const refusalOf = async (trial: Promise<unknown>): Promise<string | undefined> => {
  try {
    await trial;
    return undefined;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return error.issues ? `${error.code} ${error.issues[0]?.path}` : error.code;
  }
};

const days = ["2030-02-13", "2030-02-14", "2030-02-28", "2030-03-01", "2030-03-15", "2030-03-16"];

describe.each(["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])("in the time zone %s", (zone) => {
  test.each<[Range, string[]]>([
    [{}, days.slice(1, 5)],
    [{ from: "2030-02-14" }, days.slice(1, 5)],
    [{ from: "2030-02-15" }, days.slice(2, 5)],
    [{ to: "2030-03-14" }, days.slice(0, 4)],
    [{ from: "2030-02-28", to: "2030-02-28" }, ["2030-02-28"]],
    [{ from: "2030-03-16", to: "2031-03-16" }, ["2030-03-16"]],
    [{ from: "2029-03-15" }, days.slice(0, 5)],
    [{ from: "2030-04-01", to: "2030-04-02" }, []],
    [{ to: "1970-01-01" }, []],
    [{ from: "9999-01-01", to: "9999-12-31" }, []],
  ])("the query %j returns the days %j", async (range, expected) => {
    vi.stubEnv("TZ", zone);
    const person = newPerson();
    const id = await seed(person, days.toReversed());
    const usageDays = await read(person, id, range);
    expect(usageDays.map(({ day }) => day)).toEqual(expected);
    expect(await readAsAdmin(id, range)).toEqual(usageDays);
  });
});

test.each<[Range, string]>([
  [{ from: "2030-03-02", to: "2030-03-01" }, "from"],
  [{ from: "2030-03-16" }, "from"],
  [{ from: "2029-03-14" }, "from"],
  [{ from: "2029-03-01", to: "2030-03-02" }, "from"],
  [{ from: "0000-01-01", to: "0000-01-02" }, "from"],
  [{ to: "0000-01-01" }, "to"],
  [{ to: "1969-12-31" }, "to"],
])("%j is refused", async (range, path) => {
  const person = newPerson();
  const id = await seed(person, days);
  expect(await refusalOf(read(person, id, range))).toBe(`VALIDATION_ERROR ${path}`);
  expect(await refusalOf(readAsAdmin(id, range))).toBe(`VALIDATION_ERROR ${path}`);
});

test("shows a day with all of its counts", async () => {
  const person = newPerson();
  const id = await seed(person, []);
  const counts = { rateLimited: 2, exhausted: 3, expired: 4, disabled: 5, forbidden: 6 };
  const day = "2030-03-01";
  const owner = { userId: person.user.id, organizationId: null };
  const row = { keyId: id, ...owner, day, valid: 1_000_000_000_000, ...counts };
  await addUsage(fixture.db, [row]);
  expect(await read(person, id)).toStrictEqual([{ day, valid: 1_000_000_000_000, ...counts }]);
});

test("returns no days for a key that was never used", async () => {
  const person = newPerson();
  const id = await seed(person, []);
  expect(await read(person, id)).toEqual([]);
  expect(await readAsAdmin(id)).toEqual([]);
});

test("returns the uses of a deleted key", async () => {
  const person = newPerson();
  const id = newTextId();
  await useOnDays(person, id, ["2030-03-01"]);
  expect(await read(person, id)).toHaveLength(1);
  expect(await readAsAdmin(id)).toHaveLength(1);
  expect(await read(person, id, { from: "2030-03-02" })).toEqual([]);
});

test("answers a key of another user like an unknown one", async () => {
  const [owner, other] = [newPerson(), newPerson()];
  const id = await seed(owner, ["2030-03-01"]);
  const gone = newTextId();
  await useOnDays(owner, gone, ["2030-03-01"]);
  for (const keyId of [id, gone, newTextId()])
    expect(await refusalOf(read(other, keyId))).toBe("KEY_NOT_FOUND");
  expect(await refusalOf(readAsAdmin(newTextId()))).toBe("KEY_NOT_FOUND");
});

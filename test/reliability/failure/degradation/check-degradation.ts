import type { Operation } from "@latchkey/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { columns, type IsWanted, observe, type Observed } from "./observe.ts";
import { cellsByCall, differsFrom, nameOnPage, readTables, writeTables } from "./page.ts";
import { observable, startWorld, type World } from "./world.ts";

const observeMilliseconds = 900_000;
const looksMax = 3;
/** A browser that returns from a provider gets a page. */
const clear = /^(works|503|no answer|–|302 to \/api\/auth\/error)$/;
const isWriting = process.env["WRITE_DEGRADATION"] !== undefined;

/** Calls operations with each part down, and compares their answers with the page. */
export const checkDegradation = (called: readonly Operation[]): void => {
  let world: World;
  let observed: Observed;

  /** If only one part is down, the machine may cause a 503. */
  const mayBeBusy: IsWanted = ({ name, owner }, column) =>
    (column === "SMTP" ||
      column === "mailer" ||
      column === "webhooks" ||
      column === "organization" ||
      column === "apikey") &&
    column !== owner &&
    observed.get(name)?.get(column) !== "works";

  /** A busy machine also answers 503, so unexpected answers are checked again. */
  const lookAgain = async (isWanted: IsWanted): Promise<void> => {
    const again = await observe(world, isWanted);
    for (const [name, cells] of again)
      for (const [column, cell] of cells) observed.get(name)?.set(column, cell);
  };

  beforeAll(async () => {
    world = await startWorld();
    const isCalled = (operation: Operation) => called.includes(operation);
    observed = await observe(world, isCalled);
    const page = await readTables();
    for (let look = 1; look < looksMax; look += 1) {
      const isUnexpected = isWriting ? mayBeBusy : differsFrom(page, observed);
      const isWanted: IsWanted = (one, column) => isCalled(one) && isUnexpected(one, column);
      if (!called.some((one) => columns.some((column) => isWanted(one, column)))) break;
      await lookAgain(isWanted);
    }
    if (isWriting) await writeTables(observed);
  }, observeMilliseconds);
  afterAll(() => world?.stop());

  test("with any part down, every operation works or fails clearly and in time", () => {
    const unclear = [...observed].flatMap(([name, cells]) =>
      [...cells].flatMap(([column, cell]) =>
        clear.test(cell) ? [] : [`${name} without ${column}: ${cell}`],
      ),
    );
    expect(unclear).toEqual([]);
  });

  test("every answer with a part down matches its cell on the page", async () => {
    const page = await readTables();
    const expected = cellsByCall(observed, called);
    const shown = [...expected.keys()].map((call) => [call, page.get(call)]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
  });

  test("the page lists every operation", async () => {
    const listed = [...(await readTables()).keys()];
    expect(listed.toSorted()).toEqual(observable.map(nameOnPage).toSorted());
  });
};

import { allOperations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { columns, type IsWanted, observe, type Observed } from "./degradation/observe.ts";
import { cellsByCall, differsFrom, readTables, writeTables } from "./degradation/page.ts";
import { startWorld, type World } from "./degradation/world.ts";

expectNoLeaks("file");

const observeMilliseconds = 900_000;
const looksMax = 3;
/** A browser that returns from a provider gets a page. */
const clear = /^(works|503|no answer|–|302 to \/api\/auth\/error)$/;
const isWriting = process.env["WRITE_DEGRADATION"] !== undefined;

let world: World;
let observed: Observed;

/** A busy machine also answers 503, so unexpected answers are checked again. */
const lookAgain = async (isWanted: IsWanted): Promise<void> => {
  const again = await observe(world, isWanted);
  for (const [name, cells] of again)
    for (const [column, cell] of cells) observed.get(name)?.set(column, cell);
};

beforeAll(async () => {
  world = await startWorld();
  observed = await observe(world);
  const page = await readTables();
  for (let look = 1; look < looksMax; look += 1) {
    const isWanted = isWriting ? mayBeBusy : differsFrom(page, observed);
    if (!allOperations.some((one) => columns.some((column) => isWanted(one, column)))) break;
    await lookAgain(isWanted);
  }
  if (isWriting) await writeTables(observed);
}, observeMilliseconds);
afterAll(() => world?.stop());

/** If only one part is down, the machine may cause a 503. */
const mayBeBusy: IsWanted = ({ name, owner }, column) =>
  (column === "SMTP" || column === "mailer" || column === "organization" || column === "apikey") &&
  column !== owner &&
  observed.get(name)?.get(column) !== "works";

test("with any part down, every operation works or fails clearly and in time", () => {
  const unclear = [...observed].flatMap(([name, cells]) =>
    [...cells].flatMap(([column, cell]) =>
      clear.test(cell) ? [] : [`${name} without ${column}: ${cell}`],
    ),
  );
  expect(unclear).toEqual([]);
});

test("every answer with a part down matches its cell on the page", async () => {
  expect(Object.fromEntries(await readTables())).toEqual(Object.fromEntries(cellsByCall(observed)));
});

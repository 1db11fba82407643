import { allOperations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { columns, type IsWanted, observe, type Observed } from "./degradation/observe.ts";
import { cellsByCall, differsFrom, readTables, writeTables } from "./degradation/page.ts";
import { startWorld, type World } from "./degradation/world.ts";

expectNoLeaks("file");

const observeMilliseconds = 900_000;
const looksMax = 3;
/** What a browser comes back to from a provider is a page. */
const clear = /^(works|503|no answer|–|302 to \/api\/auth\/error)$/;
const isWriting = process.env["WRITE_DEGRADATION"] !== undefined;

let world: World;
let observed: Observed;

/** A busy machine answers 503 too: what is not as it was expected is looked at again. */
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

/** Where little is away, a 503 may be the machine's. */
const mayBeBusy: IsWanted = ({ name, owner }, column) =>
  (column === "SMTP" || column === "mailer" || column === "organization" || column === "apikey") &&
  column !== owner &&
  observed.get(name)?.get(column) !== "works";

test("whatever is away, every operation works or says clearly, and in time, that it does not", () => {
  const unclear = [...observed].flatMap(([name, cells]) =>
    [...cells].flatMap(([column, cell]) =>
      clear.test(cell) ? [] : [`${name} without ${column}: ${cell}`],
    ),
  );
  expect(unclear).toEqual([]);
});

test("every operation answers while something is away what the page says, cell by cell", async () => {
  expect(Object.fromEntries(await readTables())).toEqual(Object.fromEntries(cellsByCall(observed)));
});

import { join } from "node:path";

/** Tells the tests where `buildHouse` has put what they run in processes of their own. */
export const houseVariable = "LATCHKEY_TEST_HOUSE";

/** The folder of the code that processes under test run: what the tests have built of it, or, outside of them, the source. */
export const houseUnderTest = (): string =>
  process.env[houseVariable] ?? join(import.meta.dirname, "..", "..");

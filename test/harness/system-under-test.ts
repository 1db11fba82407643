import { join } from "node:path";

/** Tells the tests where `buildSystem` has put the code of separate processes. */
export const systemVariable = "LATCHKEY_TEST_SYSTEM";

/** The folder of the code that processes under test run: the built code, or the source outside of tests. */
export const systemUnderTest = (): string =>
  process.env[systemVariable] ?? join(import.meta.dirname, "..", "..");

import { adminStatements, operations } from "@latchkey/contracts";

/** What the page needs of an operation to ask for it. */
const inBrief = ({ method, path, access }: { method: string; path: string; access: string }) => ({
  method,
  path,
  access,
});

/**
 * The contracts without their schemas, for the page: the types stay with the compiler, so that of every operation only its
 * address travels to the browser. Internal operations stay at home.
 */
export const contractsInBrief = () => ({
  operations: Object.fromEntries(
    Object.entries(operations).map(([owner, owned]) => [
      owner,
      Object.fromEntries(
        Object.entries(owned)
          .filter(([, { exposure }]) => exposure === "public")
          .map(([name, declared]) => [name, inBrief(declared)]),
      ),
    ]),
  ),
  adminStatements,
});

import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { isOfUse } from "../access/is-of-use.ts";
import { optionsQuery } from "../components/options-query.ts";
import { concernReads } from "../screens/home/home-reads.ts";
import { userList } from "../screens/users/user-list.ts";

/** The reads of screens that are often visited first, by their path. */
const readsByPath: Readonly<Record<string, () => { queryKey: readonly unknown[] }[]>> = {
  "": () =>
    Object.values(concernReads)
      .filter(({ needs }) => isOfUse(needs))
      .map(({ query }) => query),
  "/users": () => [userList.query({}), optionsQuery],
};

const pathOfPlace = (): string =>
  location.pathname.slice(pageFacts.webPath.length).replace(/\/$/, "");

/** Returns the reads of the screen in the address. A search in the address is not understood yet, so it has none. */
export const readsOfPlace = () =>
  location.search === "" ? (readsByPath[pathOfPlace()]?.() ?? []) : [];

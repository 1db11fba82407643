import type { Shape } from "../read-shape.ts";
import type { Seen } from "./watch-transaction.ts";

/** What was seen of a migration. */
export interface Observed {
  before: Shape;
  after: Shape;
  seen: readonly Seen[];
  /** Tables that were written anew. */
  rewritten: readonly string[];
}

const both = (one: string, other: string) => [one, other].join(" and ");

/** What makes others wait: in one transaction, whatever it does after a lock was taken is waited for. */
const findWaits = (seen: readonly Seen[], rewritten: ReadonlySet<string>): string[] => {
  const tablesWith = (isSought: (what: string) => boolean) => [
    ...new Set(seen.filter(({ what }) => isSought(what)).map(({ table }) => table)),
  ];
  const locked = tablesWith((what) => what.endsWith("Lock"));
  const closed = tablesWith((what) => what === "AccessExclusiveLock");
  const scanned = tablesWith((what) => what === "scan").filter((table) => !rewritten.has(table));
  const changed = tablesWith((what) => what === "change");
  const readUnderLock = scanned.map((table) => {
    if (locked.includes(table)) return `reads all of ${table} while it is locked`;
    const [other] = locked;
    return other ? `reads all of ${table} while ${other} is locked` : undefined;
  });
  return [
    ...readUnderLock.filter((found) => found !== undefined),
    ...changed.map((table) => `changes rows of ${table}, which stay locked until it ends`),
    ...(closed.length > 1 ? [`locks ${closed.reduce(both)} together`] : []),
  ];
};

const kindOf = (thing: string) => thing.slice(0, thing.indexOf(" "));
const nameOf = (thing: string) => thing.slice(thing.indexOf(" ") + 1);
const tableOf = (thing: string) => nameOf(thing).split(".").slice(0, 2).join(".");

const relied = new Set([
  "table",
  "view",
  "sequence",
  "column",
  "constraint",
  "index",
  "function",
  "type",
]);
/** What stands within a table, and goes with it. */
const inner = new Set(["column", "constraint", "index", "trigger"]);
/** What is said twice, of which the second is left out: the index of a constraint has its name. */
const isConstraint = (thing: string, shape: Shape) =>
  kindOf(thing) === "index" && shape.has(`constraint ${nameOf(thing)}`);

/** What the version before reads or writes by, and what has become of it. */
const findBreaks = ({ before, after }: Observed): string[] =>
  [...before].flatMap(([thing, shape]) => {
    if (!relied.has(kindOf(thing)) || isConstraint(thing, before)) return [];
    const isGoneWithTable = inner.has(kindOf(thing)) && !after.has(`table ${tableOf(thing)}`);
    const now = after.get(thing);
    if (now === undefined) return isGoneWithTable ? [] : [`drops or renames ${thing}`];
    // Options of a table and a longer life of an index change nothing for whoever uses them.
    const isChanged = now !== shape && kindOf(thing) !== "table";
    return isChanged ? [`changes ${thing} from "${shape}" to "${now}"`] : [];
  });

const isFilled = (column: string) => /\b(?:default|generated|identity) /.test(column);

/** Whether what is new speaks of new columns alone, which the version before leaves empty. */
const speaksOfNewColumns = (thing: string, { before, after }: Observed): boolean => {
  const columns = [...after.keys()].filter((one) => one.startsWith(`column ${tableOf(thing)}.`));
  const text = after.get(thing)?.replace(/ ON \S+ /, " ") ?? "";
  const named = columns.filter((one) =>
    new RegExp(`(?<![\\w"])"?${one.slice(one.lastIndexOf(".") + 1)}"?(?![\\w"])`).test(text),
  );
  return named.length > 0 && named.every((one) => !before.has(one));
};

/** What is asked of rows from now on, which those of the version before may not have. */
const findDemands = (observed: Observed): string[] => {
  const { before, after } = observed;
  return [...after].flatMap(([thing, shape]) => {
    if (before.has(thing) || !before.has(`table ${tableOf(thing)}`)) return [];
    const kind = kindOf(thing);
    if (kind === "column" && shape.includes(" required") && !isFilled(shape))
      return [`adds ${thing}, which is required and has no default`];
    if (kind === "trigger") return [`adds ${thing}`];
    const isRule =
      kind === "constraint" ||
      (kind === "index" && shape.includes(" UNIQUE ") && !isConstraint(thing, after));
    return isRule && !speaksOfNewColumns(thing, observed)
      ? [`adds ${thing}, which rows of the version before may break`]
      : [];
  });
};

/** All that is unsafe in a migration while the version before serves. */
export const findHazards = (observed: Observed): string[] => {
  const rewritten = new Set(observed.rewritten);
  const transactions = Object.values(Object.groupBy(observed.seen, (one) => one.transaction));
  return [
    ...observed.rewritten.map((table) => `writes ${table} anew`),
    ...new Set(transactions.flatMap((seen = []) => findWaits(seen, rewritten))),
    ...findBreaks(observed),
    ...findDemands(observed),
  ];
};

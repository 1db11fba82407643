import type { Shape } from "../read-shape.ts";
import type { Seen } from "./watch-transaction.ts";

/** The observed effects of a migration. */
export interface Observed {
  before: Shape;
  after: Shape;
  seen: readonly Seen[];
  /** The tables that Postgres has rewritten. */
  rewritten: readonly string[];
}

const both = (one: string, other: string) => [one, other].join(" and ");

/**
 * Returns the effects that block other transactions. Locks are held until the end of the transaction, so everything after a lock
 * extends the wait.
 */
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
/** The objects that belong to a table and are dropped with it. */
const inner = new Set(["column", "constraint", "index", "trigger"]);
/** Skips the index of a constraint, which has the same name and would be reported twice. */
const isConstraint = (thing: string, shape: Shape) =>
  kindOf(thing) === "index" && shape.has(`constraint ${nameOf(thing)}`);

/** Returns the objects that the previous version uses and that were dropped, renamed or changed. */
const findBreaks = ({ before, after }: Observed): string[] =>
  [...before].flatMap(([thing, shape]) => {
    if (!relied.has(kindOf(thing)) || isConstraint(thing, before)) return [];
    const isGoneWithTable = inner.has(kindOf(thing)) && !after.has(`table ${tableOf(thing)}`);
    const now = after.get(thing);
    if (now === undefined) return isGoneWithTable ? [] : [`drops or renames ${thing}`];
    // Options of a table and wider indexes do not affect the previous version.
    const isChanged = now !== shape && kindOf(thing) !== "table";
    return isChanged ? [`changes ${thing} from "${shape}" to "${now}"`] : [];
  });

const isFilled = (column: string) => /\b(?:default|generated|identity) /.test(column);

/** Whether a rule concerns only new columns, which the previous version leaves empty. */
const speaksOfNewColumns = (thing: string, { before, after }: Observed): boolean => {
  const columns = [...after.keys()].filter((one) => one.startsWith(`column ${tableOf(thing)}.`));
  const text = after.get(thing)?.replace(/ ON \S+ /, " ") ?? "";
  const named = columns.filter((one) =>
    new RegExp(`(?<![\\w"])"?${one.slice(one.lastIndexOf(".") + 1)}"?(?![\\w"])`).test(text),
  );
  return named.length > 0 && named.every((one) => !before.has(one));
};

/** Returns new requirements that rows written by the previous version may violate. */
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

/** Returns everything that makes a migration unsafe while the previous version serves. */
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

import type { Table } from "./queries.ts";

/** Orders tables by name, each after the tables that it references. Throws for circular references. */
export const inReferenceOrder = (tables: readonly Table[]): Table[] => {
  const remaining = new Map(
    tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((table) => [table.name, table]),
  );
  const ordered: Table[] = [];
  while (remaining.size > 0) {
    const next = [...remaining.values()].find(
      ({ refersTo }) => !refersTo.some((name) => remaining.has(name)),
    );
    if (!next) throw new Error(`${[...remaining.keys()].join(", ")} refer to each other`);
    ordered.push(next);
    remaining.delete(next.name);
  }
  return ordered;
};

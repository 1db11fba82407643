import type { Table } from "./queries.ts";

/** Orders tables by name, each after the tables that it references. Throws for circular references. */
export const inReferenceOrder = (tables: readonly Table[]): Table[] => {
  const left = new Map(
    tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((table) => [table.name, table]),
  );
  const ordered: Table[] = [];
  while (left.size > 0) {
    const next = [...left.values()].find(
      ({ refersTo }) => !refersTo.some((name) => left.has(name)),
    );
    if (!next) throw new Error(`${[...left.keys()].join(", ")} refer to each other`);
    ordered.push(next);
    left.delete(next.name);
  }
  return ordered;
};

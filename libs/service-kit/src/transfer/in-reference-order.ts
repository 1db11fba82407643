import type { Table } from "./queries.ts";

/** Tables by name, each after those that it refers to. Throws where that is not to be had. */
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

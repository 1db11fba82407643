type FindByIds<Row> = (ids: readonly string[]) => Promise<readonly Row[]>;

interface Waiting<Row> {
  readonly id: string;
  resolve(row: Row | null): void;
  reject(error: unknown): void;
}

/** As many ids as an operation takes, and as a URL can hold if they are long. */
const idsMax = 100;
const lettersMax = 8_000;

const partsOf = (ids: readonly string[]): string[][] => {
  const parts: string[][] = [];
  let letters = 0;
  for (const id of ids) {
    const last = parts.at(-1);
    letters += id.length;
    if (last && last.length < idsMax && letters <= lettersMax) last.push(id);
    else {
      parts.push([id]);
      letters = id.length;
    }
  }
  return parts;
};

/**
 * Creates a look-up by id. The look-ups of one turn of the event loop, such as those of all rows of a page, share one request. Returns
 * null for what was deleted.
 */
export const createLookUp = <Row extends { readonly id: string }>(
  find: FindByIds<Row>,
): ((id: string) => Promise<Row | null>) => {
  let waiting: Waiting<Row>[] = [];
  const settle = async (ids: readonly string[], those: readonly Waiting<Row>[]): Promise<void> => {
    try {
      const rowsById = new Map((await find(ids)).map((row) => [row.id, row]));
      for (const { id, resolve } of those) resolve(rowsById.get(id) ?? null);
    } catch (error) {
      for (const { reject } of those) reject(error);
    }
  };
  const run = (): void => {
    const all = waiting;
    waiting = [];
    for (const ids of partsOf([...new Set(all.map(({ id }) => id))])) {
      const requestedIds = new Set(ids);
      void settle(
        ids,
        all.filter(({ id }) => requestedIds.has(id)),
      );
    }
  };
  return (id) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(run, 0);
      waiting.push({ id, resolve, reject });
    });
};

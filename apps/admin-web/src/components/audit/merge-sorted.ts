/** Merges sorted sequences into one sorted sequence. Reads from each only when needed. */
export async function* mergeSorted<Item>(
  sources: readonly AsyncIterator<Item>[],
  compare: (one: Item, other: Item) => number,
): AsyncGenerator<Item> {
  const heads = await Promise.all(
    sources.map(async (source) => ({ source, next: await source.next() })),
  );
  for (;;) {
    const waiting = heads.flatMap((head) =>
      head.next.done ? [] : [{ head, item: head.next.value }],
    );
    const [first] = waiting.toSorted((one, other) => compare(one.item, other.item));
    if (!first) return;
    yield first.item;
    first.head.next = await first.head.source.next();
  }
}

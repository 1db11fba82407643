/** Repeats a deletion of at most `size` rows until it deletes fewer, so that no lock is held for long. Returns the total. */
export const inBatches = async (
  size: number,
  deleteBatch: (limit: number) => Promise<number>,
): Promise<number> => {
  let total = 0;
  for (;;) {
    const count = await deleteBatch(size);
    total += count;
    if (count < size) return total;
  }
};

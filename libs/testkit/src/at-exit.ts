const works = new Set<() => void>();

const runAll = () => {
  for (const work of works) work();
};

/** Has `work` done when this process ends, unless what it gives is called before. One listener does for all, of which there are many. */
export function atExit(work: () => void): () => void {
  if (works.size === 0) process.on("exit", runAll);
  works.add(work);
  return () => {
    works.delete(work);
    if (works.size === 0) process.off("exit", runAll);
  };
}

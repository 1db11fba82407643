const works = new Set<() => void>();

const runAll = () => {
  for (const work of works) work();
};

/** Runs `work` when this process ends, unless the returned function is called before. All share one listener, because there are many. */
export function atExit(work: () => void): () => void {
  if (works.size === 0) process.on("exit", runAll);
  works.add(work);
  return () => {
    works.delete(work);
    if (works.size === 0) process.off("exit", runAll);
  };
}

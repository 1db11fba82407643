/** Runs what it is given, unless what it ran before has not settled: buttons are disabled only once the page is drawn anew. */
export const oneAtATime = (): ((run: () => Promise<unknown>) => void) => {
  let isUnderWay = false;
  return (run) => {
    if (isUnderWay) return;
    isUnderWay = true;
    const end = () => {
      isUnderWay = false;
    };
    run().then(end, end);
  };
};

/**
 * Returns a function that ignores calls while an earlier one is pending. A button is disabled only at the next render, so a fast
 * double click would send a request twice.
 */
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

/** Returns the outcome of `work`, or rejects after the deadline. The work itself is not interrupted. */
export const withDeadline = async <T>(
  work: Promise<T>,
  milliseconds: number,
  what: string,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} took longer than ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
};

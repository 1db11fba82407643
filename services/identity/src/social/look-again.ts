/** More often than this is no accident. */
const attemptsMax = 4;

/** What comes of an act that gives nothing where what it read was outdated by somebody else: then it looks again. */
export const lookAgain = async <T>(
  act: () => Promise<T | false | undefined>,
): Promise<T | undefined> => {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const outcome = await act();
    if (outcome) return outcome;
  }
  return undefined;
};

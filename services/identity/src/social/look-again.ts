/** More conflicts in a row than this are not a coincidence. */
const attemptsMax = 4;

/** Repeats an act that returns undefined because a concurrent change has made its data outdated. */
export const lookAgain = async <T>(
  act: () => Promise<T | false | undefined>,
): Promise<T | undefined> => {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const outcome = await act();
    if (outcome) return outcome;
  }
  return undefined;
};

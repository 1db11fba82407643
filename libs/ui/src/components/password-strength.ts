/** How hard a password is to guess, from 0 (not entered) to 4. */
export type Strength = 0 | 1 | 2 | 3 | 4;

/** Beginnings of the passwords that are tried first, in any spelling of letters. */
const common =
  /pass(?:word|wort)|qwert[yz]|azerty|letmein|welcome|admin|iloveyou|monkey|dragon|abc123|\d{0,3}123456?\d*/gi;

/** The kinds of characters among which a guesser has to search, and how many each has. */
const pools: readonly [kind: RegExp, size: number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^\w]|_/, 33],
  [/[^\u0020-\u007e]/, 100],
];

const poolOf = (password: string): number =>
  pools.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);

/** Characters that repeat or continue the one before them add nothing. */
const surprisesOf = (password: string): number =>
  [...password].filter((_, index, all) => {
    const step = (all[index]?.codePointAt(0) ?? 0) - (all[index - 1]?.codePointAt(0) ?? -9);
    return Math.abs(step) > 1;
  }).length;

/** The bits from which a password has each strength. */
const bitsFrom = [1, 36, 54, 72];

/**
 * Estimates the strength of a password by the size of the space in which it would be guessed. It is advice while a password is chosen:
 * nothing is refused because of it.
 */
export const strengthOf = (password: string): Strength => {
  const rest = password.replaceAll(common, "*");
  const bits = surprisesOf(rest) * Math.log2(Math.max(poolOf(password), 2));
  return bitsFrom.filter((least) => bits >= least).length as Strength; // there are four of them
};

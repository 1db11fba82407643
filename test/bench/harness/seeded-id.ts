/** The length of ids that Latchkey creates. Texts of up to ten characters would be parsed in another way. */
const idLength = 32;

/** Returns the id of a seeded row, from the kind of row and a number. */
export const seededId = (kind: string, number: number): string =>
  `${kind}${number}`.padEnd(idLength, "x");

/** Returns the same id in SQL, where `number` is an expression. */
export const seededIdSql = (kind: string, number: string): string =>
  `rpad('${kind}' || ${number}, ${idLength}, 'x')`;

const namePrefix = "Sample Person ";

/** Returns the name of a seeded user. It is as long as many real names. */
export const seededName = (number: number): string => namePrefix + String(number);

/** Returns the same name in SQL, where `number` is an expression. */
export const seededNameSql = (number: string): string => `'${namePrefix}' || ${number}`;

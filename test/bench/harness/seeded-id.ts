/** The length of ids that Latchkey creates. V8 looks up texts of up to ten characters in a table, so it parses short ids more slowly. */
const idLength = 32;
const filler = "x";

/** Returns the id of a seeded row, from the kind of row and a number. */
export const seededId = (kind: string, number: number): string =>
  `${kind}${number}`.padEnd(idLength, filler);

/** Returns the same id in SQL, where `number` is an expression. */
export const seededIdSql = (kind: string, number: string): string =>
  `rpad('${kind}' || (${number}), ${idLength}, '${filler}')`;

/** Returns the number of a seeded id in SQL, where `id` is an expression. */
export const seededNumberSql = (kind: string, id: string): string =>
  `substr(rtrim(${id}, '${filler}'), ${kind.length + 1})::int`;

const namePrefix = "Sample Person ";

/** Returns the name of a seeded user. It is as long as many real names. */
export const seededName = (number: number): string => namePrefix + String(number);

/** Returns the same name in SQL, where `number` is an expression. */
export const seededNameSql = (number: string): string => `'${namePrefix}' || (${number})`;

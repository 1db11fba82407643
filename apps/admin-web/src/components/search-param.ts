/** Returns a text of an address if a param may have it. Otherwise returns undefined, because anyone can write an address. */
type SearchParam<Value extends string> = (text: string) => Value | undefined;

/** One of these texts. */
export const oneOf =
  <const Value extends string>(...values: readonly Value[]): SearchParam<Value> =>
  (text) =>
    values.find((value) => value === text);

/** A text that passes a check. */
export const textThat =
  (isValid: (text: string) => boolean): SearchParam<string> =>
  (text) =>
    isValid(text) ? text : undefined;

/** A text of limited length. */
export const textParam = (max: number): SearchParam<string> =>
  textThat(({ length }) => length <= max);

/** A text of limited length that is not empty. */
export const nameParam = (max: number): SearchParam<string> =>
  textThat(({ length }) => length > 0 && length <= max);

type Params = Readonly<Record<string, SearchParam<string>>>;

/** The values of some params, each of which is optional. */
export type Searched<Given extends Params> = {
  -readonly [Name in keyof Given]?: ReturnType<Given[Name]>;
};

/**
 * Returns a function that reads these params from the search of an address. An invalid param becomes undefined and is not left out, because
 * the router keeps the text of the address for params that are left out.
 */
export const searchOf =
  <const Given extends Params>(params: Given) =>
  (search: Record<string, unknown>) => {
    const searched: Record<string, string | undefined> = {};
    for (const [name, read] of Object.entries(params)) {
      if (!Object.hasOwn(search, name)) continue;
      const text = search[name];
      searched[name] = typeof text === "string" ? read(text) : undefined;
    }
    // Each member was read by the param of its name.
    return searched as Searched<Given>;
  };

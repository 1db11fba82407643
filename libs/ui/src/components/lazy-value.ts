/**
 * Returns a function that makes a value at its first call and returns the same one afterwards. Constructors of `Intl` are slow, and a first
 * visit needs few of them.
 */
export const lazyValue = <Value extends object>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};

/** Returns a function that makes a value at the first call with a language, and returns the same one for it afterwards. */
export const lazyByLanguage = <Value extends object>(
  make: (language: string) => Value,
): ((language: string) => Value) => {
  const made = new Map<string, Value>();
  return (language) => {
    const value = made.get(language) ?? make(language);
    made.set(language, value);
    return value;
  };
};

/**
 * Returns a function that makes a value at its first call and returns the same one afterwards. Constructors of `Intl` are slow, and a first
 * visit needs few of them.
 */
export const lazyValue = <Value extends object>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};

/** Functions before they are bound to their first parameter, the dependencies of a service. */
export type Unbound<Functions, Deps> = {
  [Name in keyof Functions]: NonNullable<Functions[Name]> extends (
    ...rest: infer Rest
  ) => infer Result
    ? (deps: Deps, ...rest: Rest) => Result
    : never;
};

/** Binds functions to dependencies. */
export const bindAll = <Functions, Deps>(
  deps: Deps,
  unbound: Unbound<Functions, Deps>,
): Functions =>
  // The compiler cannot infer through a look-up that each function keeps its name.
  Object.fromEntries(
    Object.entries(
      unbound as unknown as Record<string, (deps: Deps, ...rest: unknown[]) => unknown>,
    ).map(([name, run]) => [name, (...rest: unknown[]) => run(deps, ...rest)]),
  ) as Functions;

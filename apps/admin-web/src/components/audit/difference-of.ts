export interface Difference {
  readonly member: string;
  /** As JSON. Undefined if the member did not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isChanged: boolean;
}

type State = Readonly<Record<string, unknown>> | null;

const textOf = (state: State, member: string): string | undefined => {
  if (state === null || !Object.hasOwn(state, member)) return undefined;
  return JSON.stringify(state[member]) ?? "null";
};

/** Returns the old and the new value of each member, changed ones first. */
export const differenceOf = (before: State, after: State): Difference[] => {
  const members = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...members]
    .map((member) => {
      const was = textOf(before, member);
      const became = textOf(after, member);
      return { member, before: was, after: became, isChanged: was !== became };
    })
    .toSorted(
      (one, other) =>
        Number(other.isChanged) - Number(one.isChanged) || (one.member < other.member ? -1 : 1),
    );
};

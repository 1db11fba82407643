/**
 * A small truth about a part of the house. A call is one step or several: what others do may come between two steps, and
 * nothing else may. States are plain data.
 */
export interface Truth<State, Call> {
  /** The next step of a call, which changes the state that it is given: its reply with the last step, else what it remembers. */
  step(state: State, call: Call, memory: unknown): Step;
  /** What may come of a state without anybody's call: the states that it may turn into next. */
  drift?(state: State): State[];
}

export type Step = { reply: string } | { memory: unknown };

/** A call and what the house replied. */
export interface Answered<Call> {
  call: Call;
  reply: string;
}

interface Place<State> {
  state: State;
  /** Of each call what it remembers, or that it is done. */
  progress: readonly Step[];
}

const isDone = (step: Step | undefined): boolean => step !== undefined && "reply" in step;

/** The places that one step of one call leads to, where it replies as the house did. */
const advance = <State, Call>(
  truth: Truth<State, Call>,
  answered: readonly Answered<Call>[],
  { state, progress }: Place<State>,
): Place<State>[] =>
  answered.flatMap(({ call, reply }, index) => {
    const before = progress[index];
    if (before === undefined || "reply" in before) return [];
    const changed = structuredClone(state);
    const step = truth.step(changed, call, before.memory);
    if ("reply" in step && step.reply !== reply) return [];
    return [{ state: changed, progress: progress.with(index, step) }];
  });

/**
 * The states in which calls that were made at once may have left the house, from any of some states: one for each order of
 * their steps in which every call gets the reply that it got. None where no order explains the replies.
 */
export const explain = <State, Call>(
  truth: Truth<State, Call>,
  states: readonly State[],
  answered: readonly Answered<Call>[],
): State[] => {
  const begun: Step = { memory: undefined };
  const left: Place<State>[] = states.map((state) => ({
    state,
    progress: answered.map(() => begun),
  }));
  const seen = new Set<string>();
  const ends: State[] = [];
  for (let place = left.pop(); place; place = left.pop()) {
    const key = JSON.stringify(place);
    if (seen.has(key)) continue;
    seen.add(key);
    const { state, progress } = place;
    if (progress.every(isDone)) ends.push(state);
    left.push(...advance(truth, answered, place));
    for (const drifted of truth.drift?.(structuredClone(state)) ?? [])
      left.push({ state: drifted, progress });
  }
  return ends;
};

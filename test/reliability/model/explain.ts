/**
 * A small model of a part of the system. A call has one or more steps: other calls may run between two steps, and only there.
 * States are plain data.
 */
export interface Truth<State, Call> {
  /** The next step of a call, which changes the given state. Returns the reply with the last step, and its memory otherwise. */
  step(state: State, call: Call, memory: unknown): Step;
  /** Spontaneous changes of a state: the states that may follow without a call. */
  drift?(state: State): State[];
}

export type Step = { reply: string } | { memory: unknown };

/** A call and the system's reply. */
export interface Answered<Call> {
  call: Call;
  reply: string;
}

interface Place<State> {
  state: State;
  /** The memory of each call, or its reply if it has finished. */
  progress: readonly Step[];
}

const isDone = (step: Step | undefined): boolean => step !== undefined && "reply" in step;

/** Returns the places after one step of one call, if its reply matches the system's. */
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
 * Returns the states that concurrent calls may leave, from any of the given states: one for each order of their steps in which
 * every call gets its actual reply. Empty if no order explains the replies.
 */
export const explain = <State, Call>(
  truth: Truth<State, Call>,
  states: readonly State[],
  answered: readonly Answered<Call>[],
): State[] => {
  const begun: Step = { memory: undefined };
  const pending: Place<State>[] = states.map((state) => ({
    state,
    progress: answered.map(() => begun),
  }));
  const seen = new Set<string>();
  const ends: State[] = [];
  for (let place = pending.pop(); place; place = pending.pop()) {
    const key = JSON.stringify(place);
    if (seen.has(key)) continue;
    seen.add(key);
    const { state, progress } = place;
    if (progress.every(isDone)) ends.push(state);
    pending.push(...advance(truth, answered, place));
    for (const drifted of truth.drift?.(structuredClone(state)) ?? [])
      pending.push({ state: drifted, progress });
  }
  return ends;
};

import { setImmediate as turn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { until } from "@latchkey/testkit";
import fc from "fast-check";
import { explain, type Truth } from "./explain.ts";
import { type ModelSystem, replicaCount } from "./system.ts";
import type { Tally } from "./tally.ts";

/** The visible part of a state: immediately and everywhere, and after a moment. */
export interface View {
  now: unknown;
  soon?: unknown;
}

/** The part of the system that a model describes, with new users for one run. */
export interface Side<Picked, Call> {
  /** Replaces random picks by names. `id` names the result of the call. Undefined if there is nothing to name. */
  name(picked: Picked, id: number): Call | undefined;
  /** Makes a call at a replica, and returns status and code of the reply with its other content. */
  send(call: Call, replica: number): Promise<string>;
  /** `heard` are the replicas that took part in all recent calls, so that they know the changes immediately. */
  look(heard: readonly number[]): Promise<View>;
  /** After the clock has moved: extends the sessions that the model keeps. */
  stay?(): Promise<void>;
}

/** A model, and how it is compared with the system. */
export interface Subject<State extends { now: number }, Picked, Call extends { kind: string }> {
  name: string;
  truth: Truth<State, Call>;
  start(): State;
  picked: fc.Arbitrary<Picked>;
  /** The maximum number of concurrent calls. */
  atOnceMax: number;
  view(state: State, heard: readonly number[]): View;
  /** The effect of a look on a state. */
  settle?(state: State): void;
  open(system: ModelSystem): Promise<Side<Picked, Call>>;
}

export interface Trial {
  runs: number;
  seed: number;
  /** Repeats a run, as printed by fast-check after a failure. */
  path?: string | undefined;
  replayPath?: string | undefined;
  tally: Tally;
}

/** In a run: every state that the system may be in. */
interface Possible<State> {
  states: State[];
  callCount: number;
  /** The calls so far, for the report of a failure. */
  history: string[];
}

const commandsMax = 24;
const turnsMax = 40;
/** Few runs make no call. More than so many show that a model hardly makes any. */
const maxSkipsPerRun = 3;
/** A busy machine takes longer to deliver an event. */
const soonMilliseconds = 30_000;
/** The clock moves by multiples of this, so that no sum of moves is within a minute of a whole hour or day. */
const unitMilliseconds = 1_511_000;
const moves = [1, 5, 31, 60, 131];

const show = (value: unknown): string => JSON.stringify(value);

/** Returns the states that match what is visible: `now` in the first look, `soon` in a later one if necessary. */
const lookAt = async <State extends { now: number }, Picked, Call extends { kind: string }>(
  subject: Subject<State, Picked, Call>,
  side: Side<Picked, Call>,
  { states, heard }: { states: readonly State[]; heard: readonly number[] },
): Promise<State[]> => {
  const views = states.map((state) => ({ state, view: subject.view(state, heard) }));
  const seen = await side.look(heard);
  const fitting = views.filter(({ view }) => isDeepStrictEqual(view.now, seen.now));
  if (fitting.length === 0)
    throw new Error(`it shows ${show(seen.now)}, not ${show(views.map(({ view }) => view.now))}`);
  const match = ({ soon }: View) => {
    const matching = fitting.filter(({ view }) => isDeepStrictEqual(view.soon, soon));
    return matching.length > 0 ? matching : undefined;
  };
  const matching =
    match(seen) ??
    (await until(async () => match(await side.look(heard)), {
      timeoutMs: soonMilliseconds,
      describe: `the view ${show(fitting.map(({ view }) => view.soon))}`,
    }));
  const settled = matching.map(({ state }) => structuredClone(state));
  for (const state of settled) subject.settle?.(state);
  return settled;
};

/** Context of a command. */
interface Told<State extends { now: number }, Picked, Call extends { kind: string }> {
  subject: Subject<State, Picked, Call>;
  tally: Tally;
}

type Command<State, Picked, Call> = fc.AsyncCommand<Possible<State>, Side<Picked, Call>>;

/** A random call: its replica, and after how many turns of the event loop. */
interface Chosen<Picked> {
  picked: Picked;
  replica: number;
  turns: number;
}

const makeOne = async <Picked, Call>(
  side: Side<Picked, Call>,
  { call, replica, turns }: { call: Call } & Omit<Chosen<Picked>, "picked">,
): Promise<{ call: Call; reply: string }> => {
  for (let count = 0; count < turns; count += 1) await turn();
  return { call, reply: await side.send(call, replica) };
};

/** Makes concurrent calls and returns the states that are possible afterwards. */
const makeAll = async <State extends { now: number }, Picked, Call extends { kind: string }>(
  { subject, tally }: Told<State, Picked, Call>,
  { possible, side }: { possible: Possible<State>; side: Side<Picked, Call> },
  chosen: readonly Chosen<Picked>[],
): Promise<State[]> => {
  const calls = chosen.flatMap(({ picked, replica, turns }) => {
    const call = side.name(picked, possible.callCount + 1);
    if (!call) return [];
    possible.callCount += 1;
    return [{ call, replica, turns }];
  });
  const made = calls.map((one) => `\n    ${JSON.stringify(one)}`);
  const answered = await Promise.all(calls.map((one) => makeOne(side, one)));
  const said = made.map((one, index) => `${one} -> ${answered[index]?.reply}`).join("");
  possible.history.push(`\n  at once:${said}`);
  tally.note(answered);
  const states = explain(subject.truth, possible.states, answered);
  if (states.length === 0)
    throw new Error(`no order explains that, from ${JSON.stringify(possible.states)}`);
  const replicas = new Set(calls.map(({ replica }) => replica));
  return lookAt(subject, side, { states, heard: replicas.size === 1 ? [...replicas] : [] });
};

/** Concurrent calls. */
const atOnce = <State extends { now: number }, Picked, Call extends { kind: string }>(
  subject: Subject<State, Picked, Call>,
  tally: Tally,
): fc.Arbitrary<Command<State, Picked, Call>> =>
  fc
    .array(
      fc.record({
        picked: subject.picked,
        replica: fc.nat(replicaCount - 1),
        turns: fc.nat(turnsMax),
      }),
      { minLength: 1, maxLength: subject.atOnceMax },
    )
    .map((chosen) => ({
      check: () => true,
      toString: () => `${chosen.length} at once`,
      run: async (possible, side) => {
        possible.states = await makeAll({ subject, tally }, { possible, side }, chosen);
      },
    }));

/** Moves the clock forward. */
const later = <State extends { now: number }, Picked, Call extends { kind: string }>(
  subject: Subject<State, Picked, Call>,
  system: ModelSystem,
): fc.Arbitrary<Command<State, Picked, Call>> =>
  fc.constantFrom(...moves).map((units) => ({
    check: () => true,
    toString: () => `${units} x ${unitMilliseconds} ms later`,
    run: async (possible, side) => {
      const milliseconds = units * unitMilliseconds;
      system.advance(milliseconds);
      possible.history.push(`\n  ${milliseconds} ms later`);
      await side.stay?.();
      const moved = possible.states.map((state) => ({ ...state, now: state.now + milliseconds }));
      const states = explain(subject.truth, moved, []);
      possible.states = await lookAt(subject, side, { states, heard: [] });
    },
  }));

/** Runs random concurrent commands on the system, and compares all replies and views with the model. */
export const checkModel = async <
  State extends { now: number },
  Picked,
  Call extends { kind: string },
>(
  system: ModelSystem,
  subject: Subject<State, Picked, Call>,
  { runs, seed, path, replayPath, tally }: Trial,
): Promise<void> => {
  const command = fc.oneof(
    { weight: 6, arbitrary: atOnce(subject, tally) },
    { weight: 1, arbitrary: later(subject, system) },
  );
  const commands = fc.commands([command], {
    maxCommands: commandsMax,
    size: "max",
    ...(replayPath === undefined ? {} : { replayPath }),
  });
  await fc.assert(
    fc.asyncProperty(commands, async (chosen) => {
      const side = await subject.open(system);
      const model = { states: [subject.start()], callCount: 0, history: [] as string[] };
      try {
        await fc.asyncModelRun(() => ({ model, real: side }), chosen);
      } catch (cause) {
        throw new Error(`${String(cause)}\nafter${model.history.join("")}`, { cause });
      }
      // A run without calls tests nothing, so fast-check replaces it.
      fc.pre(model.callCount > 0);
    }),
    {
      numRuns: runs,
      maxSkipsPerRun,
      seed,
      unbiased: true,
      ...(path === undefined ? {} : { path }),
    },
  );
};

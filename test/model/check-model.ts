import { setImmediate as turn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { until } from "@latchkey/testkit";
import fc from "fast-check";
import { explain, type Truth } from "./explain.ts";
import { type House, replicaCount } from "./house.ts";
import type { Tally } from "./tally.ts";

/** What can be seen of a state: at once, wherever one asks, and after a moment. */
export interface View {
  now: unknown;
  soon?: unknown;
}

/** The part of the house that a truth is about, for one run: with people of its own. */
export interface Side<Picked, Call> {
  /** A call with names for what was picked by chance; `id` is for what it makes. Undefined where nothing is there to be named. */
  name(picked: Picked, id: number): Call | undefined;
  /** Makes a call at a replica, and gives status and code of the reply, with what else it says. */
  send(call: Call, replica: number): Promise<string>;
  /** `heard` are the replicas that took part in everything that was just done, so that they know at once. */
  look(heard: readonly number[]): Promise<View>;
  /** After the clock has moved: keeps those signed in who are to be. */
  stay?(): Promise<void>;
}

/** A truth, and how the house is held to it. */
export interface Subject<State extends { now: number }, Picked, Call extends { kind: string }> {
  name: string;
  truth: Truth<State, Call>;
  start(): State;
  picked: fc.Arbitrary<Picked>;
  /** The most calls at once. */
  atOnceMax: number;
  view(state: State, heard: readonly number[]): View;
  /** What looking does to a state. */
  settle?(state: State): void;
  open(house: House): Promise<Side<Picked, Call>>;
}

export interface Trial {
  runs: number;
  seed: number;
  /** Leads to a run again, as fast-check prints it when one fails. */
  path?: string | undefined;
  replayPath?: string | undefined;
  tally: Tally;
}

/** In a run: every state that the house may be in. */
interface Possible<State> {
  states: State[];
  callCount: number;
  /** What was done so far, for who reads of a failure. */
  history: string[];
}

const commandsMax = 24;
const turnsMax = 40;
/** A machine that others keep busy takes its time to pass an event on. */
const soonMilliseconds = 30_000;
/** A clock moves by multiples of it, so that no sum of moves is within a minute or so of a whole hour or day. */
const unitMilliseconds = 1_511_000;
const moves = [1, 5, 31, 60, 131];

const show = (value: unknown): string => JSON.stringify(value);

/** The states that show what is seen: what must be seen at once by the first look, the rest by a later one if need be. */
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
    const found = fitting.filter(({ view }) => isDeepStrictEqual(view.soon, soon));
    return found.length > 0 ? found : undefined;
  };
  const found =
    match(seen) ??
    (await until(async () => match(await side.look(heard)), {
      timeoutMs: soonMilliseconds,
      describe: `the view ${show(fitting.map(({ view }) => view.soon))}`,
    }));
  const settled = found.map(({ state }) => structuredClone(state));
  for (const state of settled) subject.settle?.(state);
  return settled;
};

/** What a command works with. */
interface Told<State extends { now: number }, Picked, Call extends { kind: string }> {
  subject: Subject<State, Picked, Call>;
  tally: Tally;
}

type Command<State, Picked, Call> = fc.AsyncCommand<Possible<State>, Side<Picked, Call>>;

/** One call by chance: where it is made, and after how many turns of the event loop. */
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

/** Makes calls at once and says what is possible after them. */
const makeAll = async <State extends { now: number }, Picked, Call extends { kind: string }>(
  { subject, tally }: Told<State, Picked, Call>,
  { possible, side }: { possible: Possible<State>; side: Side<Picked, Call> },
  chosen: readonly Chosen<Picked>[],
): Promise<State[]> => {
  const calls = chosen.flatMap(({ picked, replica, turns }) => {
    const call = side.name(picked, (possible.callCount += 1));
    return call ? [{ call, replica, turns }] : [];
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

/** Calls at once. */
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

/** The clock moves on. */
const later = <State extends { now: number }, Picked, Call extends { kind: string }>(
  subject: Subject<State, Picked, Call>,
  house: House,
): fc.Arbitrary<Command<State, Picked, Call>> =>
  fc.constantFrom(...moves).map((units) => ({
    check: () => true,
    toString: () => `${units} x ${unitMilliseconds} ms later`,
    run: async (possible, side) => {
      const milliseconds = units * unitMilliseconds;
      house.advance(milliseconds);
      possible.history.push(`\n  ${milliseconds} ms later`);
      await side.stay?.();
      const moved = possible.states.map((state) => ({ ...state, now: state.now + milliseconds }));
      const states = explain(subject.truth, moved, []);
      possible.states = await lookAt(subject, side, { states, heard: [] });
    },
  }));

/** Has the house do what chance says, several things at once, and compares all that it replies and shows with the truth. */
export const checkModel = async <
  State extends { now: number },
  Picked,
  Call extends { kind: string },
>(
  house: House,
  subject: Subject<State, Picked, Call>,
  { runs, seed, path, replayPath, tally }: Trial,
): Promise<void> => {
  const command = fc.oneof(
    { weight: 6, arbitrary: atOnce(subject, tally) },
    { weight: 1, arbitrary: later(subject, house) },
  );
  const commands = fc.commands([command], {
    maxCommands: commandsMax,
    size: "max",
    ...(replayPath === undefined ? {} : { replayPath }),
  });
  await fc.assert(
    fc.asyncProperty(commands, async (chosen) => {
      const side = await subject.open(house);
      const model = { states: [subject.start()], callCount: 0, history: [] as string[] };
      try {
        await fc.asyncModelRun(() => ({ model, real: side }), chosen);
      } catch (cause) {
        throw new Error(`${String(cause)}\nafter${model.history.join("")}`, { cause });
      }
    }),
    { numRuns: runs, seed, unbiased: true, ...(path === undefined ? {} : { path }) },
  );
};

import type { Step, Truth } from "../explain.ts";

/** A sign-in that waits for its second factor. */
export interface Waiting {
  begunAt: number;
  tries: number;
  isPassed: boolean;
}

/** The second factor of one user. Times are in milliseconds since the start. */
export interface FactorState {
  now: number;
  waiting: Record<string, Waiting>;
  /** The time step of the last accepted code of the app. */
  lastStep: number;
  /** Unused backup codes by number. */
  backupCodes: number[];
  /** Wrong codes in a row. */
  failures: number;
  lockedUntil: number | null;
}

/** A code that is entered in a waiting sign-in. */
export type Entered = { from: "app"; step: number } | { from: "backup"; code: number } | "wrong";

export type FactorCall =
  | { kind: "begin"; waiting: string }
  | { kind: "enter"; waiting: string; entered: Entered };

/** The limits of the system. The clock moves by more than both durations. */
export const failuresMax = 8;
const triesMax = 5;
const lockMilliseconds = 900_000;
const waitingMilliseconds = 600_000;

export const isLocked = ({ now, lockedUntil }: FactorState): boolean =>
  lockedUntil !== null && lockedUntil > now;

const done = (reply: string): Step => ({ reply });
const ended = "401 INVALID_TWO_FACTOR_COOKIE";

/** A right code unlocks, and so does the first wrong one after a lock. */
const countFailure = (state: FactorState): void => {
  if (state.lockedUntil !== null) {
    state.failures = 1;
    state.lockedUntil = null;
    return;
  }
  state.failures += 1;
  if (state.failures >= failuresMax) state.lockedUntil = state.now + lockMilliseconds;
};

/** Uses a code up. Returns false if it is wrong or was used. */
const use = (state: FactorState, entered: Entered): boolean => {
  if (entered === "wrong") return false;
  if (entered.from === "app") {
    if (entered.step <= state.lastStep) return false;
    state.lastStep = entered.step;
    return true;
  }
  const unused = state.backupCodes.filter((code) => code !== entered.code);
  const isUsed = unused.length < state.backupCodes.length;
  state.backupCodes = unused;
  return isUsed;
};

const find = (state: FactorState, name: string): Waiting | undefined => {
  const waiting = state.waiting[name];
  const isOpen =
    waiting !== undefined &&
    !waiting.isPassed &&
    waiting.begunAt + waitingMilliseconds > state.now &&
    waiting.tries <= triesMax;
  return isOpen ? waiting : undefined;
};

/** Takes a try of the user and one of the sign-in, together. */
const take = (state: FactorState, waiting: Waiting): Step => {
  if (isLocked(state)) return done("429 ACCOUNT_TEMPORARILY_LOCKED");
  if (waiting.isPassed || waiting.tries >= triesMax) return { memory: "used up" };
  countFailure(state);
  waiting.tries += 1;
  return { memory: "taken" };
};

/** The first caller without a try gets an error of its own, and ends the sign-in. */
const end = (waiting: Waiting): Step => {
  if (waiting.isPassed || waiting.tries !== triesMax) return done(ended);
  waiting.tries += 1;
  return done("400 TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE");
};

/** Uses the code and the sign-in up together, or neither. */
const pass = (state: FactorState, waiting: Waiting, entered: Entered): Step => {
  const unchanged = structuredClone(state);
  const isApp = entered === "wrong" || entered.from === "app";
  if (!use(state, entered)) return done(isApp ? "401 INVALID_CODE" : "401 INVALID_BACKUP_CODE");
  if (waiting.isPassed) {
    Object.assign(state, unchanged);
    return done(ended);
  }
  waiting.isPassed = true;
  state.failures = 0;
  state.lockedUntil = null;
  return done("200");
};

/** The sign-in is looked up, then tries are taken, then the code is compared and used up. */
export const factorTruth: Truth<FactorState, FactorCall> = {
  step: (state, call, memory) => {
    if (call.kind === "begin") {
      state.waiting[call.waiting] = { begunAt: state.now, tries: 0, isPassed: false };
      return done("200 waiting");
    }
    if (memory === undefined) return find(state, call.waiting) ? { memory: "found" } : done(ended);
    const waiting = state.waiting[call.waiting];
    if (!waiting) return done(ended);
    if (memory === "found") return take(state, waiting);
    return memory === "taken" ? pass(state, waiting, call.entered) : end(waiting);
  },
};

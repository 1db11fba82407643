/** Number of model runs, and where they start. */
export interface AskedTrial {
  runs: number;
  seed: number;
  /** The path of a failing run of that seed, as printed by fast-check. */
  path: string | undefined;
  replayPath: string | undefined;
  /** Whether to print the calls. */
  isShown: boolean;
}

const shortRuns = 2;

/**
 * Reads the environment. By default a few runs with a random seed. `MODEL_RUNS` sets their number; `SEED`, `FC_PATH` and
 * `FC_REPLAY_PATH` select them.
 */
export const readTrial = (
  environment: Readonly<Record<string, string | undefined>>,
): AskedTrial => {
  const { MODEL_RUNS, SEED, FC_PATH, FC_REPLAY_PATH } = environment;
  return {
    runs: Number(MODEL_RUNS ?? shortRuns),
    seed: SEED === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(SEED),
    path: FC_PATH,
    replayPath: FC_REPLAY_PATH,
    isShown: MODEL_RUNS !== undefined,
  };
};

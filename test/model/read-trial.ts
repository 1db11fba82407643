/** How long models are run, and from where. */
export interface AskedTrial {
  runs: number;
  seed: number;
  /** Where in the runs of that seed one failed, as fast-check prints it. */
  path: string | undefined;
  replayPath: string | undefined;
  /** Whether to print what was done. */
  isShown: boolean;
}

const shortRuns = 3;

/** By default a few runs, other ones each time; `MODEL_RUNS` says how many, `SEED`, `FC_PATH` and `FC_REPLAY_PATH` which. */
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
